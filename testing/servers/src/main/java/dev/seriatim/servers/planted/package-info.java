// SPDX-License-Identifier: Apache-2.0
/** Databases in which something is wrong on purpose, for tests of what looks for it. */
@NullMarked
package dev.seriatim.servers.planted;

import org.jspecify.annotations.NullMarked;
