// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.spanner;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.dialect.Dialect;
import dev.seriatim.jdbc.dialect.EngineFamily;
import java.sql.Connection;
import java.util.List;
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
    public Dialect dialect(Connection connection, Function<String, Misconfigured> unknown) {
        return new SpannerDialect();
    }
}
