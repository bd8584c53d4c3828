// SPDX-License-Identifier: Apache-2.0
/** Tests of the code that runs the pages of the documentation. */
@NullMarked
package dev.seriatim.servers.pages;

import org.jspecify.annotations.NullMarked;
