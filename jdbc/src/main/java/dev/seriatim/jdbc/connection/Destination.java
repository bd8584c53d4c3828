// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.connection;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.StoreUrl;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import org.jspecify.annotations.Nullable;

/**
 * Where a connection leads, as its driver says. Immutable.
 *
 * @param url without account and options, which may change: passwords expire
 */
record Destination(
        @Nullable String url,
        @Nullable String catalogue,
        @Nullable String schema) {

    static Destination of(Connection connection) throws SQLException {
        String url = connection.getMetaData().getURL();
        return new Destination(
                url == null ? null : StoreUrl.redacted(url),
                supported(connection::getCatalog),
                supported(connection::getSchema));
    }

    /**
     * Refuses a connection that leads elsewhere: its numbers would be another database's. Hosts do not count, since a failover
     * changes them in the URLs of some drivers.
     */
    void checkSame(Connection later) throws SQLException {
        Destination other = of(later);
        if (!withoutHosts().equals(other.withoutHosts())) {
            throw new Misconfigured(
                    "a new connection of the data source leads to " + other + ", and the first one led to " + this
                            + "; a store belongs to one database: open one over the data source of each, or restart if schemas on the search path"
                            + " have changed");
        }
    }

    private Destination withoutHosts() {
        return new Destination(url == null ? null : url.replaceFirst("//[^/]*", ""), catalogue, schema);
    }

    @FunctionalInterface
    private interface Look {
        @Nullable
        String up() throws SQLException;
    }

    private static @Nullable String supported(Look look) throws SQLException {
        try {
            return look.up();
        } catch (SQLFeatureNotSupportedException | AbstractMethodError e) {
            return null;
        }
    }

    @Override
    public String toString() {
        return (url == null ? "a database without a URL" : url)
                + (catalogue == null ? "" : ", catalogue " + catalogue)
                + (schema == null ? "" : ", schema " + schema);
    }
}
