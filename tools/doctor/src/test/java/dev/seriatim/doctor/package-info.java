// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.seriatim.doctor;

import org.jspecify.annotations.NullMarked;
