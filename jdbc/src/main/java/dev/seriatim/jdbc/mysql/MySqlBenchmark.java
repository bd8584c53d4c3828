// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.sql.BenchmarkSql;
import dev.seriatim.jdbc.sql.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The benchmark's SQL for MariaDB and MySQL.
 *
 * @param mariaDb whether it is MariaDB, which has sequences
 */
record MySqlBenchmark(boolean mariaDb) implements BenchmarkSql {

    @Override
    public Map<String, String> settings(Connection connection) throws SQLException {
        return Settings.byName(connection, """
                SHOW GLOBAL VARIABLES WHERE Variable_name IN ('innodb_flush_log_at_trx_commit', 'log_bin', 'sync_binlog',
                    'innodb_doublewrite', 'innodb_autoinc_lock_mode', 'wsrep_on')""");
    }

    @Override
    public OptionalInt connectionsLeft(Connection connection) throws SQLException {
        return Settings.number(
                connection, "SELECT @@max_connections - (SELECT COUNT(*) FROM information_schema.processlist)");
    }

    @Override
    public Optional<String> identity() {
        return Optional.of("BIGINT NOT NULL AUTO_INCREMENT");
    }

    @Override
    public Optional<UuidSql> uuids() {
        return Optional.of(new UuidSql("BINARY(16)", true, "UUID()", "UNHEX(REPLACE(UUID(), '-', ''))"));
    }

    @Override
    public Optional<NativeSql> sequences() {
        return mariaDb
                ? Optional.of(new NativeSql("CREATE SEQUENCE %s CACHE %d", "NEXT VALUE FOR %s", "DROP SEQUENCE %s"))
                : Optional.empty();
    }

    /** {@inheritDoc} Verbatim, except for the table's name. */
    @Override
    public Optional<EmulatedSql> emulated() {
        return Optional.of(new EmulatedSql(
                "CREATE TABLE %s (seq_name CHAR(10) PRIMARY KEY, last_val BIGINT UNSIGNED)",
                "UPDATE %s SET last_val = LAST_INSERT_ID(last_val+1) WHERE seq_name='bench'",
                "SELECT LAST_INSERT_ID()"));
    }

    @Override
    public Optional<SeriesSql> series() {
        String from = mariaDb
                ? "(SELECT seq AS n FROM seq_1_to_%d) AS series"
                : "(WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < %d)"
                        + " SELECT n FROM series) AS series";
        return Optional.of(new SeriesSql(from, "CONCAT('row ', n)"));
    }
}
