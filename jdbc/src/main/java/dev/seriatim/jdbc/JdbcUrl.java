// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.OpenStore;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.StoreUrl;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * A JDBC URL that may carry options of our own, each beginning with {@code seriatim.}, among those of its driver:
 *
 * <ul>
 *   <li>{@code seriatim.table}: the table, by default {@value SequenceTable#DEFAULT_NAME}
 *   <li>{@code seriatim.kind=next} or {@code seriatim.kind=last}: a plain table that is there already, whose counter is the
 *       value drawn next, or last; with {@code seriatim.name-column}, {@code seriatim.value-column}, and what its sequences
 *       are: {@code seriatim.start-with}, {@code seriatim.increment-by}, {@code seriatim.min-value}, {@code
 *       seriatim.max-value}, {@code seriatim.cache}
 *   <li>{@code seriatim.durability=warn}: only warn when the database's settings can lose commits
 *   <li>{@code seriatim.patience}: how long to wait for other sessions, such as {@code 10s}
 * </ul>
 *
 * <p>Immutable and thread-safe.
 *
 * @param driverUrl what the driver gets: the URL without our options; may hold secrets
 * @param options the whole URL, with our options, which have lost their prefix
 */
public record JdbcUrl(String driverUrl, StoreUrl options) {

    private static final String OURS = "seriatim.";
    private static final Pattern PART = Pattern.compile("([?&;])([^?&;]*)");

    /**
     * Takes our options out of a URL.
     *
     * @throws Misconfigured when there is one that nobody reads
     */
    public static JdbcUrl parse(String text) {
        Map<String, String> ours = new LinkedHashMap<>();
        StringBuilder theirs = new StringBuilder();
        Matcher part = PART.matcher(text);
        boolean first = true;
        int end = text.length();
        while (part.find()) {
            if (first) {
                end = part.start();
                first = false;
            }
            String option = part.group(2);
            if (option.startsWith(OURS)) {
                int equals = option.indexOf('=');
                ours.put(
                        option.substring(OURS.length(), equals < 0 ? option.length() : equals),
                        equals < 0 ? "" : option.substring(equals + 1));
            } else {
                // The first of a list begins it, also when ours stood before it.
                String separator = part.group(1).equals("&") && theirs.indexOf("?") < 0 ? "?" : part.group(1);
                theirs.append(separator).append(option);
            }
        }
        String driverUrl = text.substring(0, end) + theirs;
        Set<String> known = new TreeSet<>(TableOptions.NAMES);
        known.add("durability");
        known.add("patience");
        return new JdbcUrl(driverUrl, new StoreUrl(text, "jdbc", driverUrl, ours).allowOnly(known));
    }

    /** The whole URL without secrets. */
    public String redacted() {
        return options.redacted();
    }

    /**
     * Opens the store of this URL on a data source, such as a pool that was made for {@link #driverUrl}. Closing the store
     * closes the data source, if it can be closed.
     *
     * @throws Misconfigured when the database is not a known one, its settings lose acknowledged commits, or this user may
     *     not connect
     * @throws Unavailable when no connection can be had
     */
    public OpenStore open(DataSource source) {
        return open(source::getConnection, dialect -> new BorrowedConnections(source, dialect, Closing.of(source)));
    }

    /** Makes what a store's connections come from. */
    @FunctionalInterface
    interface Supply {
        Connections of(Dialect dialect);
    }

    OpenStore open(KeptConnections.Opener opener, Supply supply) {
        SequenceTable table = new TableOptions(options).table();
        Durability durability = Durability.of(options);
        Duration patience = options.duration("patience").orElse(JdbcStore.PATIENCE);
        try (Connection connection = opener.open()) {
            Dialect dialect = Dialects.of(connection);
            durability.check(redacted(), dialect.preflight(connection, table.table()));
            return new JdbcStore(supply.of(dialect), dialect, table, redacted(), patience);
        } catch (SQLException e) {
            throw NoConnection.to(redacted(), e);
        }
    }
}
