// SPDX-License-Identifier: Apache-2.0
/** Options that several commands of the laboratory have. */
@NullMarked
package dev.seriatim.cli.option;

import org.jspecify.annotations.NullMarked;
