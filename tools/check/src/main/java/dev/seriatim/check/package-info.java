// SPDX-License-Identifier: Apache-2.0
/**
 * Checks that numbers keep the promises of their mode while they are drawn. Every class is used by one thread. A check counts
 * exactly, and describes the first few violations.
 */
@NullMarked
package dev.seriatim.check;

import org.jspecify.annotations.NullMarked;
