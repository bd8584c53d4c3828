// SPDX-License-Identifier: Apache-2.0
/** MySQL, MariaDB, and TiDB, which speaks their protocol. */
@NullMarked
package dev.seriatim.jdbc.mysql;

import org.jspecify.annotations.NullMarked;
