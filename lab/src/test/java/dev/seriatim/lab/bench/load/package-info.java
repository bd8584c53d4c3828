// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.seriatim.lab.bench.load;

import org.jspecify.annotations.NullMarked;
