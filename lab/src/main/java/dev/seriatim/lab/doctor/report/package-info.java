// SPDX-License-Identifier: Apache-2.0
/** A diagnosis as text, JSON and a page. */
@NullMarked
package dev.seriatim.lab.doctor.report;

import org.jspecify.annotations.NullMarked;
