// SPDX-License-Identifier: Apache-2.0
/** SQL Server. */
@NullMarked
package dev.seriatim.jdbc.sqlserver;

import org.jspecify.annotations.NullMarked;
