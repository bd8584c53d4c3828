// SPDX-License-Identifier: Apache-2.0
/** Tests of the gap audit: its checks are shown faults, and compared with simpler ones. */
@NullMarked
package dev.seriatim.cli.auditing;

import org.jspecify.annotations.NullMarked;
