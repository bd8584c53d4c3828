// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.seriatim.cli.draw;

import org.jspecify.annotations.NullMarked;
