// SPDX-License-Identifier: Apache-2.0
/** MySQL and MariaDB. */
@NullMarked
package dev.seriatim.jdbc.mysql;

import org.jspecify.annotations.NullMarked;
