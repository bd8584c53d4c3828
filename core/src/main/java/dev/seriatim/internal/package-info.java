// SPDX-License-Identifier: Apache-2.0
/** Shared by all packages of the core, and not exported: text of messages without secrets, futures of draws, closing. */
@NullMarked
package dev.seriatim.internal;

import org.jspecify.annotations.NullMarked;
