// SPDX-License-Identifier: Apache-2.0
/** A small writer of plots as SVG, on logarithmic axes: no scripts, no fonts of its own, no dependency. Knows no benchmark. */
@NullMarked
package dev.seriatim.lab.plot;

import org.jspecify.annotations.NullMarked;
