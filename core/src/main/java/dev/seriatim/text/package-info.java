// SPDX-License-Identifier: Apache-2.0
/** The text of error messages: quoting, and what must not be shown. */
@NullMarked
package dev.seriatim.text;

import org.jspecify.annotations.NullMarked;
