// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;

@FunctionalInterface
public interface SqlWork<R> {

    /** Runs the work; does not end a transaction that it has not begun. */
    R run(Connection connection) throws SQLException;
}
