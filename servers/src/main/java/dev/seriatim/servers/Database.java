// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * One database, and an account that may do everything in it. Immutable.
 *
 * @param location its JDBC URL without an account
 * @param user the account's name; empty where the engine has none
 * @param password its password
 */
public record Database(JdbcLocation location, String user, String password) {
    /** The JDBC URL with the account in it: all that another process needs. */
    public String url() {
        return location.with(user, password);
    }

    /** The same database, seen by another account. */
    public Database as(String otherUser, String otherPassword) {
        return new Database(location, otherUser, otherPassword);
    }

    /** The same database, reached at another address: {@code host:port}. */
    public Database at(String hostAndPort) {
        return new Database(location.at(hostAndPort), user, password);
    }

    /** The same database with one more property of the driver. */
    public Database option(String name, String value) {
        return new Database(location.option(name, value), user, password);
    }

    /** A new connection; the caller closes it. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    /** Opens a new connection at each request: no pool. */
    public DataSource dataSource() {
        return new UnpooledDataSource(this);
    }

    /** Runs each statement and commits it. */
    public void execute(String... statements) throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** The number in the first column of the first row of the answer. */
    public long number(String query) throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement();
                var answer = statement.executeQuery(query)) {
            if (!answer.next()) {
                throw new SQLException("no row: " + query);
            }
            return answer.getLong(1);
        }
    }

    @Override
    public String toString() {
        return location.toString();
    }
}
