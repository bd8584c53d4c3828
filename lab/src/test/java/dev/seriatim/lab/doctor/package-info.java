// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.seriatim.lab.doctor;

import org.jspecify.annotations.NullMarked;
