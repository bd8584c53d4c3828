// SPDX-License-Identifier: Apache-2.0
/** Tests of the formulas. */
@NullMarked
package dev.seriatim.lab.model;

import org.jspecify.annotations.NullMarked;
