// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.EngineFamily;
import dev.seriatim.jdbc.sql.Sql;
import dev.seriatim.store.StoreUrl;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Detects the engines that speak MySQL's protocol. Only some drivers distinguish MySQL and MariaDB. */
public record MySqlEngines() implements EngineFamily {

    private static final int OLDEST_MYSQL = 8;
    private static final int OLDEST_MARIADB = 10;
    private static final int SKIP_LOCKED_MAJOR = 10;
    private static final int SKIP_LOCKED_MINOR = 6;
    private static final Pattern MAJOR = Pattern.compile("(?:5\\.5\\.5-)?(\\d+)\\.(\\d+).*", Pattern.DOTALL);
    private static final Pattern DERIVED =
            Pattern.compile("(?i)tidb|vitess|planetscale|singlestore|memsql|oceanbase|doris|starrocks");

    /** ER_CANT_CHANGE_TX_CHARACTERISTICS, and the error inside a branch of a distributed transaction. */
    private static final Set<Integer> IN_TRANSACTION = Set.of(1568, 1399);

    private static final Map<Integer, String> ISOLATION = Map.of(
            Connection.TRANSACTION_READ_UNCOMMITTED, "READ UNCOMMITTED",
            Connection.TRANSACTION_READ_COMMITTED, "READ COMMITTED",
            Connection.TRANSACTION_REPEATABLE_READ, "REPEATABLE READ",
            Connection.TRANSACTION_SERIALIZABLE, "SERIALIZABLE");

    private static final String VERSION = "SELECT CONCAT(VERSION(), ' ', @@version_comment)";

    @Override
    public boolean introducedAs(String product) {
        return product.equals("mariadb") || product.equals("mysql");
    }

    @Override
    public Dialect dialect(Connection connection) throws SQLException {
        String url = DriverState.checkRepeatsNothing(connection);
        String version = Sql.read(connection, VERSION).orElse("");
        Matcher major = MAJOR.matcher(version);
        boolean mariaDb = version.contains("MariaDB");
        if (!major.matches() || DERIVED.matcher(version).find()) {
            throw EngineFamily.unknown(version);
        }
        if (Integer.parseInt(major.group(1)) < (mariaDb ? OLDEST_MARIADB : OLDEST_MYSQL)) {
            throw EngineFamily.unknown((mariaDb ? "MariaDB " : "MySQL ") + version);
        }
        if (Optional.ofNullable(connection.getCatalog()).orElse("").isEmpty()) {
            throw new Misconfigured(
                    StoreUrl.redacted(url) + " does not name a database; add it after the host: //HOST:PORT/DATABASE");
        }
        if (mariaDb && connection.getMetaData().getDriverName().startsWith("MySQL")) {
            // It refuses queries that begin with SET STATEMENT, with which waits for locks are limited.
            throw new Misconfigured("MySQL's driver runs no SET STATEMENT … FOR SELECT, which MariaDB needs; use"
                    + " MariaDB's driver (jdbc:mariadb:)");
        }
        // One of several nodes that all accept writes
        boolean cluster =
                InnoDbSettings.variable(connection, "wsrep_on").orElse("OFF").equals("ON");
        return mariaDb
                ? new MariaDbDialect(
                        cluster,
                        skipsLocked(major),
                        takes(connection, LastInsertId.PUT_BACK),
                        takes(connection, MariaDbDialect.NEWEST))
                : new MySqlDialect();
    }

    /** Tries a setting for the next transaction, which the server refuses inside a transaction. */
    @Override
    public boolean inTransaction(Connection connection) throws SQLException {
        String level = ISOLATION.get(connection.getTransactionIsolation());
        String sql = "SET TRANSACTION ISOLATION LEVEL " + (level == null ? "REPEATABLE READ" : level);
        return Sql.isRefused(connection, sql, e -> IN_TRANSACTION.contains(e.getErrorCode()));
    }

    /** {@inheritDoc} After a draw from a sequence, MariaDB's answer says so in auto-commit mode, too; the next answer does not. */
    @Override
    public boolean begunInText(Connection connection) throws SQLException {
        if (!DriverState.inTransaction(connection)) {
            return false;
        }
        Sql.execute(connection, "DO 0");
        return DriverState.inTransaction(connection);
    }

    private static boolean skipsLocked(Matcher mariaDb) {
        int major = Integer.parseInt(mariaDb.group(1));
        return major > SKIP_LOCKED_MAJOR
                || (major == SKIP_LOCKED_MAJOR && Integer.parseInt(mariaDb.group(2)) >= SKIP_LOCKED_MINOR);
    }

    /** Returns whether MariaDB takes a setting for one statement; its manual does not guarantee LAST_INSERT_ID's. */
    private static boolean takes(Connection connection, String setting) {
        try {
            return Sql.read(connection, MariaDbDialect.with(setting, "SELECT 1"))
                    .isPresent();
        } catch (SQLException refused) {
            return false;
        }
    }
}
