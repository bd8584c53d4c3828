// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.site;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** SQLite, which makes neither sequences nor UUIDs. */
record SqliteSql() implements EngineSql {

    @Override
    public Map<String, String> settings(Connection connection) throws SQLException {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("journal_mode", SettingsRead.text(connection, "PRAGMA journal_mode"));
        settings.put("synchronous", SettingsRead.text(connection, "PRAGMA synchronous"));
        return settings;
    }

    /** An integer that is the primary key numbers itself. */
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
