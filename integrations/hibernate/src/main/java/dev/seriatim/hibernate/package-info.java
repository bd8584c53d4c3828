// SPDX-License-Identifier: Apache-2.0

/** Generators for identifiers and numbered columns of Hibernate entities. */
package dev.seriatim.hibernate;
