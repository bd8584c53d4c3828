// SPDX-License-Identifier: Apache-2.0
/** Faults of processes, links and servers. Independent of draws and checks. */
@NullMarked
package dev.seriatim.verify.fault;

import org.jspecify.annotations.NullMarked;
