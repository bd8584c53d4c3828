// SPDX-License-Identifier: Apache-2.0
/** One contract suite per port. A store's own tests extend them and define how the store is opened. */
@NullMarked
package dev.seriatim.testkit;

import org.jspecify.annotations.NullMarked;
