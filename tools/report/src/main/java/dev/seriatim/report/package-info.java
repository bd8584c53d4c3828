// SPDX-License-Identifier: Apache-2.0
/** Reports of facts, tables and plots, written as text, JSON and HTML. Start at {@link dev.seriatim.report.Document}. */
@NullMarked
package dev.seriatim.report;

import org.jspecify.annotations.NullMarked;
