// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.benchmarks.entities;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import me.ahoo.cosid.CosIdException;
import me.ahoo.cosid.segment.IdSegmentDistributor;

/**
 * The database port of CosId over a table of this benchmark. Like {@code cosid-jdbc}, which does not run on PostgreSQL,
 * it updates the row, reads it and commits, in three round trips. Thread-safe.
 */
final class CosIdTable extends IdSegmentDistributor.Atomic {

    private static final String NAME = "row_cosid";

    private final DataSource source;

    /** Drops the table and creates it. */
    CosIdTable(DataSource source) throws SQLException {
        super(DEFAULT_STEP);
        this.source = source;
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS row_cosid_segments");
            statement.execute("CREATE TABLE row_cosid_segments (name VARCHAR(100) NOT NULL PRIMARY KEY,"
                    + " last_max_id BIGINT NOT NULL, last_fetch_time BIGINT NOT NULL)");
            statement.execute("INSERT INTO row_cosid_segments VALUES ('" + NAME + "', " + DEFAULT_OFFSET + ", 0)");
        }
    }

    @Override
    public long nextMaxId(long step) {
        IdSegmentDistributor.ensureStep(step);
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement update = connection.prepareStatement(
                            "UPDATE row_cosid_segments SET last_max_id = last_max_id + ?, last_fetch_time = ?"
                                    + " WHERE name = ?");
                    PreparedStatement read =
                            connection.prepareStatement("SELECT last_max_id FROM row_cosid_segments WHERE name = ?")) {
                update.setLong(1, step);
                update.setLong(2, TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis()));
                update.setString(3, NAME);
                update.executeUpdate();
                read.setString(1, NAME);
                try (ResultSet row = read.executeQuery()) {
                    if (!row.next()) {
                        throw new CosIdException("row_cosid_segments has no row " + NAME);
                    }
                    long max = row.getLong(1);
                    connection.commit();
                    return max;
                }
            }
        } catch (SQLException e) {
            throw new CosIdException(e.getMessage(), e);
        }
    }
}
