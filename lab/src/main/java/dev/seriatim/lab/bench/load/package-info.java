// SPDX-License-Identifier: Apache-2.0
/** How clients come, what each notes, and what that adds up to. Knows no store. */
@NullMarked
package dev.seriatim.lab.bench.load;

import org.jspecify.annotations.NullMarked;
