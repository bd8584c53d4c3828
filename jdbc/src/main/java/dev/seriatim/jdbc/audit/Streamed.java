// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.audit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Queries whose rows the driver hands over as they come, instead of keeping all of them in memory. */
final class Streamed {

    /** So many at a time: enough that the way there and back does not count, little enough to fit anywhere. */
    private static final int ROWS = 10_000;

    private Streamed() {}

    /** Prepares one. Most drivers stream inside a transaction only. */
    static PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        PreparedStatement statement =
                connection.prepareStatement(sql, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
        // MySQL's own driver reads a size as a wish that it does not grant, but for this one.
        boolean mySqls = connection.getMetaData().getDriverName().startsWith("MySQL");
        statement.setFetchSize(mySqls ? Integer.MIN_VALUE : ROWS);
        return statement;
    }
}
