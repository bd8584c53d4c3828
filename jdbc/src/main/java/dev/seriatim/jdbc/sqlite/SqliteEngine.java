// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sqlite;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.dialect.Dialect;
import dev.seriatim.jdbc.dialect.EngineFamily;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Detects SQLite. */
public record SqliteEngine() implements EngineFamily {

    @Override
    public boolean introducedAs(String product) {
        return product.equals("sqlite");
    }

    @Override
    public List<String> tested() {
        return List.of("SQLite");
    }

    @Override
    public Dialect dialect(Connection connection, Function<String, Misconfigured> unknown) {
        return new SqliteDialect();
    }

    @Override
    public Optional<SequenceException> fileFailure(String database, String why, SQLException e) {
        if (!SqliteFaults.is(e)) {
            return Optional.empty();
        }
        String what = SqliteFaults.described(database, why, e);
        return Optional.of(SqliteFaults.isTransient(e) ? new Unavailable(what, e) : new Misconfigured(what, e));
    }

    @Override
    public boolean inTransaction(Connection connection) throws SQLException {
        return SqliteDialect.inTransaction(connection);
    }

    @Override
    public boolean begunInText(Connection connection) throws SQLException {
        return SqliteDialect.begunInText(connection);
    }

    @Override
    public Map<String, String> existing(String driverUrl, boolean readOnly) {
        if (!driverUrl.startsWith(SqliteFaults.JDBC)) {
            return Map.of();
        }
        String place = driverUrl.split("\\?", 2)[0];
        Optional<Path> file =
                SqliteFaults.file(place).filter(path -> !path.toString().isEmpty());
        if (file.isPresent() && !Files.exists(file.get())) {
            throw new Misconfigured("there is no such file: " + place + "; correct its name");
        }
        return Map.of("open_mode", Integer.toString(readOnly ? SqliteFile.READ_ONLY : SqliteFile.READ_WRITE));
    }
}
