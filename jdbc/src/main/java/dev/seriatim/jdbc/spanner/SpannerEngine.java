// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.spanner;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.dialect.ConnectionFault;
import dev.seriatim.jdbc.dialect.ConnectionFault.Reason;
import dev.seriatim.jdbc.dialect.Dialect;
import dev.seriatim.jdbc.dialect.EngineFamily;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Detects Spanner. */
public record SpannerEngine() implements EngineFamily {

    @Override
    public boolean introducedAs(String product) {
        return product.equals("google cloud spanner");
    }

    @Override
    public List<String> tested() {
        return List.of("Spanner (GoogleSQL)");
    }

    @Override
    public Optional<ConnectionFault> connectionFault(String database, String why, SQLException e) {
        if (SpannerWords.unknownUser(e)) {
            return Optional.of(new ConnectionFault(
                    Reason.ACCOUNT,
                    "run 'gcloud auth application-default login', or name a key file in the URL (credentials=FILE)"));
        }
        if (SpannerWords.unknownDatabase(e)) {
            return Optional.of(new ConnectionFault(Reason.DATABASE));
        }
        return SpannerWords.wrongUrl(e) ? Optional.of(new ConnectionFault(Reason.URL)) : Optional.empty();
    }

    @Override
    public Dialect dialect(Connection connection, Function<String, Misconfigured> unknown) {
        return new SpannerDialect();
    }
}
