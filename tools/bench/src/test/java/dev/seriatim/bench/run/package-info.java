// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.seriatim.bench.run;

import org.jspecify.annotations.NullMarked;
