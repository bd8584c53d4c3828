// SPDX-License-Identifier: Apache-2.0
/** The experiments of published systems as runs, with the published figures. */
@NullMarked
package dev.seriatim.bench.scenario;

import org.jspecify.annotations.NullMarked;
