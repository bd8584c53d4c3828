// SPDX-License-Identifier: Apache-2.0
/** Error messages: quoting, and hiding secrets. */
@NullMarked
package dev.seriatim.text;

import org.jspecify.annotations.NullMarked;
