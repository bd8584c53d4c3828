// SPDX-License-Identifier: Apache-2.0
/** What authors of stores implement: the ports, the state of a sequence, URLs and drivers. */
@NullMarked
package dev.seriatim.store;

import org.jspecify.annotations.NullMarked;
