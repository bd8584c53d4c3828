// SPDX-License-Identifier: Apache-2.0
/** The verdict of a verification as text, JSON and a page. */
@NullMarked
package dev.seriatim.lab.verify.report;

import org.jspecify.annotations.NullMarked;
