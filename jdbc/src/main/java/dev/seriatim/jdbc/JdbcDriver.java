// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.jdbc.sql.KeptConnections;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.StoreUrl;

/**
 * Opens any JDBC URL of a supported database, using a small connection pool of its own. See {@link JdbcUrl} for the
 * options.
 *
 * <p>Thread-safe.
 */
public final class JdbcDriver implements StoreDriver {

    @Override
    public String prefix() {
        return "jdbc:";
    }

    @Override
    public OpenStore open(StoreUrl url) {
        JdbcUrl jdbc = JdbcUrl.parse(url.text());
        return jdbc.openKept((dialect, database) -> new KeptConnections(
                () -> jdbc.connect(dialect), dialect, database, jdbc.poolSize(), jdbc.patience(), jdbc.longestLogin()));
    }
}
