// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;

/** What happens on a connection. */
@FunctionalInterface
public interface SqlWork<R> {

    /** Does it; ends no transaction that it has not begun. */
    R run(Connection connection) throws SQLException;
}
