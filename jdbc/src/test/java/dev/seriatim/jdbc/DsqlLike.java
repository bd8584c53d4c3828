// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.OpenStore;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/**
 * A PostgreSQL that imitates Aurora DSQL: conflicts occur when the second of two transactions commits (see {@code
 * dsql-like.sql}), and what DSQL refuses is refused ({@link DsqlRules}). It does not show where the real one may
 * differ.
 */
record DsqlLike(Database database, List<String> statements) {

    private static final Set<String> ENDING = Set.of("commit", "rollback", "setAutoCommit", "close");
    private static final Set<String> REFUSED = Set.of("setSavepoint", "setTransactionIsolation");

    static DsqlLike create() {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (InputStream script = DsqlLike.class.getResourceAsStream("dsql-like.sql")) {
            database.execute(
                    "ALTER DATABASE " + database.name() + " SET default_transaction_isolation = 'repeatable read'");
            database.execute(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException("PostgreSQL cannot be made to act like DSQL", e);
        }
        return new DsqlLike(database, new CopyOnWriteArrayList<>());
    }

    /** Opens a store of a database like this one, over a pool. */
    OpenStore open(Database location) {
        return JdbcUrl.parse(location.url()).open(url -> source(pool(url.driverUrl())));
    }

    /** Opens a connection; the caller closes it. */
    Connection connect() throws SQLException {
        return watched(database.connect());
    }

    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(16);
        config.setMinimumIdle(1);
        return new HikariDataSource(config);
    }

    private interface ClosableSource extends DataSource, Closeable {}

    private DataSource source(HikariDataSource pool) {
        return DriverProxy.of(ClosableSource.class, (self, method, arguments) -> {
            Object result = method.invoke(pool, arguments);
            return result instanceof Connection c ? watched(c) : result;
        });
    }

    private Connection watched(Connection connection) {
        DsqlRules rules = new DsqlRules();
        return DriverProxy.of(Connection.class, (self, method, arguments) -> {
            if (REFUSED.contains(method.getName())) {
                throw new SQLException("ERROR: unsupported: " + method.getName(), "0A000");
            }
            if (method.getName().equals("prepareStatement")) {
                check(rules, connection, String.valueOf(arguments[0]));
            }
            Object result = method.invoke(connection, arguments);
            if (ENDING.contains(method.getName())) {
                rules.end();
            }
            return method.getName().equals("createStatement") ? watched(rules, connection, (Statement) result) : result;
        });
    }

    private Statement watched(DsqlRules rules, Connection connection, Statement statement) {
        return DriverProxy.of(Statement.class, (self, method, arguments) -> {
            if (method.getName().startsWith("execute") && arguments != null) {
                check(rules, connection, String.valueOf(arguments[0]));
            }
            return method.invoke(statement, arguments);
        });
    }

    private void check(DsqlRules rules, Connection connection, String sql) throws SQLException {
        statements.add(sql);
        rules.statement(sql, connection.getAutoCommit());
    }
}
