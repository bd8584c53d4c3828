// SPDX-License-Identifier: Apache-2.0
/** One contract suite per port; a store's own suite extends them and says how the store is opened. */
@NullMarked
package dev.seriatim.testkit;

import org.jspecify.annotations.NullMarked;
