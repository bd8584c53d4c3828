// SPDX-License-Identifier: Apache-2.0
/** What the modes can reach, in formulas: the one model behind the performance tool's limits and the advice. */
@NullMarked
package dev.seriatim.lab.model;

import org.jspecify.annotations.NullMarked;
