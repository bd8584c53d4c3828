// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.h2;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.dialect.Dialect;
import dev.seriatim.jdbc.dialect.EngineFamily;
import dev.seriatim.jdbc.failure.DriverUrl;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Detects H2. */
public record H2Engine() implements EngineFamily {

    @Override
    public boolean introducedAs(String product) {
        return product.equals("h2");
    }

    @Override
    public List<String> tested() {
        return List.of("H2");
    }

    @Override
    public Dialect dialect(Connection connection, Function<String, Misconfigured> unknown) {
        return new H2Dialect();
    }

    @Override
    public Optional<SequenceException> fileFailure(String database, String why, SQLException e) {
        return switch (String.valueOf(e.getSQLState())) {
            case "90020" ->
                Optional.of(new Misconfigured(
                        database + " is open in another process (" + why
                                + "); add ;AUTO_SERVER=TRUE to the URL in every process, or use H2's server",
                        e));
            // A file that cannot be created, opened, read or written
            case "90024", "90025", "90028", "90029", "90031", "90034", "90062" ->
                Optional.of(new Misconfigured(
                        database + " cannot open its file (" + why
                                + "); name one in an existing folder to which this user can write",
                        e));
            default -> Optional.empty();
        };
    }

    @Override
    public boolean inTransaction(Connection connection) throws SQLException {
        return H2Dialect.inTransaction(connection);
    }

    @Override
    public Map<String, String> existing(String driverUrl, boolean readOnly) {
        boolean ours = driverUrl.startsWith("jdbc:h2:") && !new DriverUrl(driverUrl).isPrivate();
        // The driver refuses an option that is given twice.
        return ours && !driverUrl.toUpperCase(Locale.ROOT).contains(";IFEXISTS=")
                ? Map.of("IFEXISTS", "TRUE")
                : Map.of();
    }
}
