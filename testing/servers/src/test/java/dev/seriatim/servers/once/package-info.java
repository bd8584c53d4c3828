// SPDX-License-Identifier: Apache-2.0
/** Tests of what keeps a second build from running tests again. */
@NullMarked
package dev.seriatim.servers.once;

import org.jspecify.annotations.NullMarked;
