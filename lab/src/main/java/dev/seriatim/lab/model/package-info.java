// SPDX-License-Identifier: Apache-2.0
/** What the laboratory knows of each mode: the one model behind the limits that are printed, the advice and the plots. */
@NullMarked
package dev.seriatim.lab.model;

import org.jspecify.annotations.NullMarked;
