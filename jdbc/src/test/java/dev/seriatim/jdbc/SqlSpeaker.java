// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.SQLException;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The engines with SQL functions, and their syntax. */
enum SqlSpeaker {
    POSTGRESQL(Engine.POSTGRESQL) {
        @Override
        String create(SequenceDefinition d) {
            return "SELECT create_sequence(" + text(d.name()) + ", " + d.start() + ", " + d.increment()
                    + ", min_value => " + d.min() + ", max_value => " + d.max() + ", cycle => " + d.cycle()
                    + ", cache => " + d.cache() + ")";
        }

        @Override
        SqlClient client(Database database) {
            return SqlClient.psql(database);
        }

        @Override
        String newUser(String user, String password) {
            return "CREATE ROLE " + user + " LOGIN PASSWORD '" + password + "'";
        }
    },
    MARIADB(Engine.MARIADB) {
        @Override
        String create(SequenceDefinition d) {
            return createFull(d);
        }

        @Override
        SqlClient client(Database database) {
            return SqlClient.mariaDb(database);
        }

        @Override
        String newUser(String user, String password) {
            return "CREATE USER " + user + " IDENTIFIED BY '" + password + "'";
        }
    },
    MYSQL(Engine.MYSQL) {
        @Override
        Database freshDatabase() throws SQLException {
            Database database = super.freshDatabase();
            // It keeps a binary log by default.
            database.execute("SET GLOBAL log_bin_trust_function_creators = 1");
            return database;
        }

        @Override
        String create(SequenceDefinition d) {
            return createFull(d);
        }

        @Override
        SqlClient client(Database database) {
            return SqlClient.mariaDb(database);
        }

        @Override
        String newUser(String user, String password) {
            return "CREATE USER " + user + " IDENTIFIED BY '" + password + "'";
        }
    };

    /** What a function can refuse, and each engine's code for it. */
    enum Refusal {
        UNKNOWN("42704", 31001),
        USED_UP("2200H", 31002),
        DUPLICATE("42710", 31003),
        WRONG("22023", 31004),
        WRONG_ROW("22000", 31004),
        NULL("22004", 31004);

        private final String stateOfPostgres;
        private final int codeOfMariaDb;

        Refusal(String stateOfPostgres, int codeOfMariaDb) {
            this.stateOfPostgres = stateOfPostgres;
            this.codeOfMariaDb = codeOfMariaDb;
        }
    }

    private final Engine engine;

    SqlSpeaker(Engine engine) {
        this.engine = engine;
    }

    /** Returns this engine; skips the test if it is not installed. */
    SqlSpeaker installed() {
        engine.assume();
        return this;
    }

    /** Returns the statement that creates a sequence with a full definition. */
    abstract String create(SequenceDefinition definition);

    /** Returns the engine's own client. */
    abstract SqlClient client(Database database);

    /** Returns the statement that creates a user without privileges. */
    abstract String newUser(String user, String password);

    /** Creates a separate database without the functions. */
    Database freshDatabase() throws SQLException {
        return engine.freshDatabase();
    }

    /** Asserts a refusal. */
    AbstractThrowableAssert<?, ?> refuses(Refusal refusal, ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOfSatisfying(SQLException.class, e -> {
            String expected = this == POSTGRESQL ? refusal.stateOfPostgres : "45000 " + refusal.codeOfMariaDb;
            String actual = this == POSTGRESQL ? e.getSQLState() : e.getSQLState() + " " + e.getErrorCode();
            if (!expected.equals(actual)) {
                throw new AssertionError("refused as " + actual + " instead of " + expected, e);
            }
        });
    }

    private static String createFull(SequenceDefinition d) {
        return "SELECT create_sequence_full(" + text(d.name()) + ", " + d.start() + ", " + d.increment() + ", "
                + d.min() + ", " + d.max() + ", " + d.cycle() + ", " + d.cache() + ")";
    }

    /** Returns a text as a literal. */
    static String text(String value) {
        return "'" + value.replace("'", "''") + "'";
    }
}
