// SPDX-License-Identifier: Apache-2.0

/** Meters for sequences. */
package dev.seriatim.micrometer;
