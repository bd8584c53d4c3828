// SPDX-License-Identifier: Apache-2.0
/** Finds the data source below Spring's wrappers; not exported. */
package dev.seriatim.spring.source;
