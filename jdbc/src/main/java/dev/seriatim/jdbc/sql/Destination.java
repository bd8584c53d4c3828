// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.StoreUrl;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a connection leads, as its driver says. Immutable.
 *
 * @param url without account and options, which may change: passwords expire
 */
public record Destination(
        @Nullable String url,
        @Nullable String catalogue,
        @Nullable String schema) {

    private static final Pattern SCHEMA = Pattern.compile("[?&;]currentSchema=([^&;]*)");

    /** Returns what the driver knows without asking the server: its URL, and the schema in that. */
    static Destination byUrl(Connection connection) throws SQLException {
        String url = connection.getMetaData().getURL();
        Matcher schema = SCHEMA.matcher(String.valueOf(url));
        return new Destination(
                url == null ? null : StoreUrl.redacted(url), null, schema.find() ? schema.group(1) : null);
    }

    public static Destination of(Connection connection) throws SQLException {
        return new Destination(
                byUrl(connection).url, supported(connection::getCatalog), supported(connection::getSchema));
    }

    /**
     * Refuses a connection that leads elsewhere: its numbers would be another database's. Hosts do not count, since a failover
     * changes them in the URLs of some drivers.
     */
    void checkSame(Destination other) {
        if (!withoutHosts().equals(other.withoutHosts())) {
            throw new Misconfigured("""
                    a new connection of the data source leads to %s, but the first led to %s; a store belongs to \
                    one database: open one store per database, or restart if schemas on the search path \
                    have changed""".formatted(other, this));
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
