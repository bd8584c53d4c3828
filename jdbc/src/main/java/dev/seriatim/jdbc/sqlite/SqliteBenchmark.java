// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sqlite;

import dev.seriatim.jdbc.sql.BenchmarkSql;
import dev.seriatim.jdbc.sql.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The benchmark's SQL for SQLite, which has no sequences and generates no UUIDs. */
record SqliteBenchmark() implements BenchmarkSql {

    @Override
    public Map<String, String> settings(Connection connection) throws SQLException {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put(
                "journal_mode", Settings.read(connection, "PRAGMA journal_mode").orElse(""));
        settings.put(
                "synchronous", Settings.read(connection, "PRAGMA synchronous").orElse(""));
        return settings;
    }

    /** {@inheritDoc} SQLite numbers an integer primary key. */
    @Override
    public Optional<String> identity() {
        return Optional.of("INTEGER");
    }

    @Override
    public Optional<UuidSql> uuids() {
        return Optional.of(new UuidSql("BLOB", true, "", ""));
    }

    @Override
    public Optional<EmulatedSql> emulated() {
        return Optional.of(new EmulatedSql(
                "CREATE TABLE %s (seq_name CHAR(10) PRIMARY KEY, last_val BIGINT)",
                "UPDATE %s SET last_val = last_val + 1 WHERE seq_name = 'bench' RETURNING last_val", ""));
    }

    @Override
    public Optional<SeriesSql> series() {
        return Optional.of(new SeriesSql(
                "(WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < %d)"
                        + " SELECT n FROM series) AS series",
                "'row ' || n"));
    }
}
