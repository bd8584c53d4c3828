// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.seriatim.check;

import org.jspecify.annotations.NullMarked;
