// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.seriatim.lab.bench.terminal;

import org.jspecify.annotations.NullMarked;
