// SPDX-License-Identifier: Apache-2.0
/** Options that several commands share, and opening the store that they name. */
@NullMarked
package dev.seriatim.cli.option;

import org.jspecify.annotations.NullMarked;
