// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;

/** H2 2. Its commits survive the death of the process, once write delay is 0, but not a power cut. */
record H2Dialect() implements Dialect {

    private static final String WRITE_DELAY =
            "SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'WRITE_DELAY'";

    @Override
    public String product() {
        return "H2";
    }

    @Override
    public String quote(String identifier) {
        return '"' + identifier + '"';
    }

    @Override
    public String nameType() {
        return "CHARACTER VARYING(64)";
    }

    @Override
    public List<String> grants(String table) {
        return List.of(
                "-- to draw: GRANT SELECT, UPDATE ON " + table + " TO the_application",
                "-- to create and drop sequences too: GRANT INSERT, DELETE ON " + table + " TO the_application",
                "-- and once, by an administrator: SET WRITE_DELAY 0");
    }

    @Override
    public CounterAdvance advance() {
        return new FinalTable();
    }

    @Override
    public Optional<CounterAdvance> advanceAlone() {
        return Optional.of(advance());
    }

    @Override
    public List<String> preflight(Connection connection, String table) throws SQLException {
        if (delay(connection).equals("0")) {
            return List.of();
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET WRITE_DELAY 0");
        } catch (SQLException e) {
            if (fault(e) != Fault.DENIED) {
                throw e;
            }
            return List.of("WRITE_DELAY is " + delay(connection)
                    + ": the death of the process loses acknowledged commits; let an administrator SET WRITE_DELAY 0");
        }
        return List.of();
    }

    @Override
    public Fault fault(SQLException e) {
        return switch (e.getErrorCode()) {
            case 40001, 90131, 90143 -> Fault.CONFLICT; // deadlock, concurrent update
            case 50200, 57014 -> Fault.TIMED_OUT; // lock timeout, statement timeout
            case 23505 -> Fault.DUPLICATE;
            case 42102, 42103, 42104, 90079, 90013 -> Fault.MISSING_TABLE;
            case 42122 -> Fault.MISSING_COLUMN;
            case 22003, 22004, 22018, 90004 -> Fault.WRONG_TYPE;
            case 90096, 90040 -> Fault.DENIED;
            case 90097 -> Fault.READ_ONLY;
            case 90067, 90098, 90121, 90007 -> Fault.LOST;
            default -> Fault.OTHER;
        };
    }

    private static String delay(Connection connection) throws SQLException {
        return Settings.read(connection, WRITE_DELAY).orElse("0");
    }
}
