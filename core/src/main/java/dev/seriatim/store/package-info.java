// SPDX-License-Identifier: Apache-2.0
/** The interfaces that store authors implement, and the types they use: sequence states, URLs and drivers. */
@NullMarked
package dev.seriatim.store;

import org.jspecify.annotations.NullMarked;
