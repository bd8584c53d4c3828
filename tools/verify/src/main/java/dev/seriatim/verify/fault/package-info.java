// SPDX-License-Identifier: Apache-2.0
/** What is done to processes, links and servers while numbers are drawn. Independent of what is drawn and of how it is checked. */
@NullMarked
package dev.seriatim.verify.fault;

import org.jspecify.annotations.NullMarked;
