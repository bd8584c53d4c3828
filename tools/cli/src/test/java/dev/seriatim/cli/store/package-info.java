// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.seriatim.cli.store;

import org.jspecify.annotations.NullMarked;
