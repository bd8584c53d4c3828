// SPDX-License-Identifier: Apache-2.0
/** A second build on the same machine runs what the first left out, and no test twice. */
@NullMarked
package dev.seriatim.servers.once;

import org.jspecify.annotations.NullMarked;
