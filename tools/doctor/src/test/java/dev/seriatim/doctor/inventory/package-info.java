// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.seriatim.doctor.inventory;

import org.jspecify.annotations.NullMarked;
