// SPDX-License-Identifier: Apache-2.0
/** GROUPED: units of work of several callers in one transaction. */
@NullMarked
package dev.seriatim.engine.group;

import org.jspecify.annotations.NullMarked;
