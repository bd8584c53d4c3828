// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.Dialect;
import dev.seriatim.servers.SpannerEmulator;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.SequenceTable;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

/** A new, empty database on a Spanner emulator, for the JDBC driver. */
record JdbcEmulator(Form form, EmulatorDatabase database) {

    /**
     * The dialects, and where the sequences are.
     *
     * @param dialect the dialect of the database
     * @param schema the schema of the sequences; empty for the default one
     */
    record Form(Dialect dialect, String schema) {
        static final Form GOOGLE_SQL = new Form(Dialect.GOOGLE_STANDARD_SQL, "");
        static final Form POSTGRESQL = new Form(Dialect.POSTGRESQL, "");
        static final Form GOOGLE_SQL_IN_SCHEMA = new Form(Dialect.GOOGLE_STANDARD_SQL, "acme");
        static final Form POSTGRESQL_IN_SCHEMA = new Form(Dialect.POSTGRESQL, "acme");

        /** Returns the table of the sequences as the URL names it. */
        String table(String name) {
            return schema.isEmpty() ? name : schema + "." + name;
        }

        /** Returns a column of a table in the schema. */
        ColumnName column(String table, String name) {
            return schema.isEmpty() ? ColumnName.of(table, name) : ColumnName.of(schema, table, name);
        }

        boolean isPostgres() {
            return dialect == Dialect.POSTGRESQL;
        }

        /** Returns statements of GoogleSQL in this dialect, after one that creates the schema. */
        private String[] statements(String... statements) {
            return Stream.concat(
                            Stream.of("CREATE SCHEMA " + schema).filter(any -> !schema.isEmpty()),
                            Stream.of(statements))
                    .map(sql -> isPostgres() ? sql.replace("INT64", "BIGINT").replace("TIMESTAMP", "TIMESTAMPTZ") : sql)
                    .toArray(String[]::new);
        }
    }

    /** The driver's connections in this JVM: classes count them at their end, so that one at a time may have any. */
    static final String CONNECTIONS = "connections of the driver";

    /** Creates a database with GoogleSQL on the JVM's shared emulator. */
    static JdbcEmulator create(String... statements) {
        return create(Form.GOOGLE_SQL, statements);
    }

    /** Creates a database on the JVM's shared emulator. */
    static JdbcEmulator create(Form form, String... statements) {
        return on(SpannerEmulator.shared(), form, statements);
    }

    static JdbcEmulator on(String address, Form form, String... statements) {
        return new JdbcEmulator(form, EmulatorDatabase.on(address, form.dialect, form.statements(statements)));
    }

    /** Returns its URL, with further options of the driver. */
    String driverUrl(String... options) {
        String more = options.length == 0 ? "" : ";" + String.join(";", options);
        return "jdbc:cloudspanner://" + database.address() + "/" + database.id().getName() + "?usePlainText=true"
                + more;
    }

    /** Returns its URL as a store, with further options. */
    String url(String... options) {
        return driverUrl(options) + (form.schema.isEmpty() ? "" : ";seriatim.table=" + table());
    }

    /** Returns the table of the sequences, with its schema. */
    String table() {
        return form.table(SequenceTable.DEFAULT_NAME);
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(driverUrl());
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
