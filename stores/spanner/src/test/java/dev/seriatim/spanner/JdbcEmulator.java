// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import dev.seriatim.servers.SpannerEmulator;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A new, empty database on a Spanner emulator, for the JDBC driver. */
record JdbcEmulator(String address, EmulatorDatabase database) {

    /** The driver's connections in this JVM: classes count them at their end, so that one at a time may have any. */
    static final String CONNECTIONS = "connections of the driver";

    /** Creates a database on the JVM's shared emulator. */
    static JdbcEmulator create(String... statements) {
        return on(SpannerEmulator.shared(), statements);
    }

    static JdbcEmulator on(String address, String... statements) {
        return new JdbcEmulator(address, EmulatorDatabase.on(address, statements));
    }

    /** Returns its URL, with further options. */
    String url(String... options) {
        String more = options.length == 0 ? "" : ";" + String.join(";", options);
        return "jdbc:cloudspanner://" + address + "/" + database.id().getName() + "?usePlainText=true" + more;
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    List<Long> numbers(String query) {
        return database.numbers(query);
    }
}
