// SPDX-License-Identifier: Apache-2.0
/** What is below Spring's data sources; not exported. */
package dev.seriatim.spring.source;
