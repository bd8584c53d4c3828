// SPDX-License-Identifier: Apache-2.0
/** Tests of the servers that the other tests depend on. */
@NullMarked
package dev.seriatim.servers;

import org.jspecify.annotations.NullMarked;
