// SPDX-License-Identifier: Apache-2.0
/**
 * The interfaces that store authors implement, and the types they use: sequence states, URLs, drivers, and the rows of a
 * table. Users need only {@link dev.seriatim.store.SequenceTable}.
 */
@NullMarked
package dev.seriatim.store;

import org.jspecify.annotations.NullMarked;
