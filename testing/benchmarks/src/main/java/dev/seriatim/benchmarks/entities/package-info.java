// SPDX-License-Identifier: Apache-2.0

/** Entities persisted through Hibernate, with each of its generators of identifiers and with Seriatim's. */
@NullMarked
package dev.seriatim.benchmarks.entities;

import org.jspecify.annotations.NullMarked;
