// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.sql.AnswerWait;
import dev.seriatim.jdbc.sql.BorrowedConnections;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.DriverUrl;
import dev.seriatim.jdbc.sql.DriverUrl.Separators;
import dev.seriatim.jdbc.sql.Lender;
import dev.seriatim.jdbc.sql.LoginWait;
import dev.seriatim.jdbc.sql.Scrubbing;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.StoreUrl;
import dev.seriatim.store.TableOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * A JDBC URL that may carry Seriatim options among those of its driver. Each begins with {@code seriatim.}:
 *
 * <ul>
 *   <li>{@code seriatim.table}: the table, by default {@value SequenceTable#DEFAULT_NAME}
 *   <li>{@code seriatim.kind=next} or {@code seriatim.kind=last}: an existing plain table whose counter is the next
 *       or the last value drawn; together with {@code seriatim.name-column}, {@code seriatim.value-column} and the
 *       definition of its sequences: {@code seriatim.start-with}, {@code seriatim.increment-by}, {@code
 *       seriatim.min-value}, {@code seriatim.max-value}, {@code seriatim.cache}
 *   <li>{@code seriatim.owner}: on PostgreSQL, a role to trust as the owner of the table, see {@link SequenceTable#ownedBy}
 *   <li>{@code seriatim.sequences=native}: the database's own sequences, which guarantee less; see {@link
 *       NativeSequences}
 *   <li>{@code seriatim.durability=warn}: only warn if the database's settings can lose commits, or its rollbacks can
 *       undo other transactions' commits
 *   <li>{@code seriatim.patience}: how long to wait for other sessions, such as {@code 10s}
 *   <li>{@code seriatim.pool-size}: maximum number of open connections, by default 32, and one more if
 *       transactions of callers occupy all
 * </ul>
 *
 * <p>Immutable and thread-safe.
 *
 * @param driverUrl the URL passed to the driver, without Seriatim options; may contain secrets
 * @param options the whole URL, with the Seriatim options, without their prefix
 */
public record JdbcUrl(String driverUrl, StoreUrl options) {

    private static final String OURS = "seriatim.";

    private static final Set<String> KNOWN = TableOptions.and("sequences", "durability", "patience", "pool-size");

    /** URLs that begin with the host. Their drivers log or quote anything else in its place. */
    private static final Pattern HOST_FIRST =
            Pattern.compile("(?is)jdbc:(?:[a-z-]+:)?(?:postgresql|mariadb):([^/?]*[:/][^/?])?.*");

    /**
     * Extracts the Seriatim options from a URL.
     *
     * @throws Misconfigured if an option is unknown
     */
    public static JdbcUrl parse(String text) {
        Map<String, String> ours = new LinkedHashMap<>();
        StringBuilder theirs = new StringBuilder();
        Separators separators = Separators.of(text);
        int end = separators.endOfPlace();
        for (String option : separators.options(text)) {
            if (option.startsWith(OURS)) {
                String[] ourOption = option.substring(OURS.length()).split("=", 2);
                ours.put(ourOption[0], ourOption.length == 1 ? "" : ourOption[1]);
            } else {
                checkPrefix(text, option);
                // The driver's first option begins the list, even if a Seriatim option came before it.
                theirs.append(theirs.isEmpty() ? separators.first() : separators.next())
                        .append(option);
            }
        }
        String driverUrl = text.substring(0, end) + theirs;
        return new JdbcUrl(driverUrl, new StoreUrl(text, "jdbc", driverUrl, ours).allowOnly(KNOWN));
    }

    /** Drivers ignore unknown options, so a misspelt prefix would open a store over a different table. */
    private static void checkPrefix(String text, String option) {
        String name = option.replaceFirst("=.*", "");
        if (KNOWN.contains(name)) {
            throw new Misconfigured("store URL '" + StoreUrl.redacted(text) + "': option '" + name
                    + "' would go to the driver; write " + OURS + name);
        }
    }

    /** Returns the database for display: the URL without options and secrets. */
    public String database() {
        return driver().database();
    }

    /** Returns whether each connection of a URL opens its own database in memory, as {@code jdbc:h2:mem:} does. */
    public static boolean isPrivate(String driverUrl) {
        return new DriverUrl(driverUrl).isPrivate();
    }

    /** Returns {@link #database()}, so that a logged URL shows no secret. */
    @Override
    public String toString() {
        return database();
    }

    private DriverUrl driver() {
        return new DriverUrl(driverUrl);
    }

    /** Returns a function that removes this URL's secrets from what its driver throws. */
    Scrubbing scrubbing() {
        return new Scrubbing(words -> options.scrub(words.replace(driverUrl, database())));
    }

    /** Opens one of the store's connections, without a limit; its exceptions show no secrets. */
    Connection connect(Dialect dialect) throws SQLException {
        Properties options = dialect.answersPreparation() ? driver().preparing() : new Properties();
        driver().boundCancelling(options);
        return scrubbing().opened(() -> login(options));
    }

    /** Connects within a limit, unless the URL has one of its driver's. */
    private Connection connect(Properties driverOptions, Duration limit) throws SQLException {
        LoginWait.Login login = () -> login(driverOptions);
        return scrubbing()
                .opened(driver().boundsLogin() || driver().opensFile() ? login : () -> LoginWait.atMost(limit, login));
    }

    private Connection login(Properties driverOptions) throws SQLException {
        return Objects.requireNonNull(driver().driver().connect(driverUrl, driverOptions));
    }

    /** Returns the maximum number of open connections. */
    public int poolSize() {
        long size = options.number("pool-size").orElse(32L);
        if (size < 1 || size > Integer.MAX_VALUE) {
            throw options.refused("seriatim.pool-size must be from 1 to " + Integer.MAX_VALUE + ", not " + size);
        }
        return (int) size;
    }

    /** Returns how long to wait for a connection and for other sessions. */
    public Duration patience() {
        return options.duration("patience").orElse(Transactions.PATIENCE);
    }

    /** Returns how long a login may take; the driver tries one host after another. */
    Duration longestLogin() {
        return LoginWait.limit(patience()).multipliedBy(driver().hosts());
    }

    /**
     * Returns the options with which a pool limits its driver's wait for a login: for PostgreSQL's driver, which otherwise
     * waits without end, unless the URL has some; empty for other drivers.
     */
    public Map<String, String> loginLimit() {
        return driver().isPostgres() && !driver().boundsLogin()
                ? Map.of("loginTimeout", Long.toString(longestLogin().toSeconds()))
                : Map.of();
    }

    /**
     * Opens the store of this URL over a connection pool of the caller's choice. Closing the store closes the pool if
     * it is closeable.
     *
     * @param pool creates the pool; if it throws because of an {@link SQLException}, that is reported like any other
     *     failure to connect
     * @throws Misconfigured if the database is unknown, its settings can lose acknowledged commits, or this user may
     *     not connect
     * @throws Unavailable if no connection can be opened
     */
    public OpenStore open(Function<JdbcUrl, DataSource> pool) {
        checkHost();
        try {
            driver().driver(); // else a pool's own error might show the URL with its secrets
        } catch (SQLException e) {
            throw NoConnection.to(driver(), scrubbing().of(e));
        }
        DataSource source = pool(pool);
        Runnable closing = closing(source);
        try {
            Lender lender = new Lender(source, Dialects::inTransaction, scrubbing());
            return lender.look(connection ->
                    open(connection, (dialect, database) -> new BorrowedConnections(lender, dialect, closing)));
        } catch (SQLException e) {
            closing.run();
            throw NoConnection.to(driver(), e);
        } catch (Throwable e) {
            closing.run();
            throw e;
        }
    }

    private DataSource pool(Function<JdbcUrl, DataSource> pool) {
        try {
            return pool.apply(this);
        } catch (SequenceException e) {
            throw e;
        } catch (RuntimeException e) {
            throw NoConnection.to(
                    driver(),
                    e.getCause() instanceof SQLException why
                            ? scrubbing().of(why)
                            : scrubbing().of(e));
        }
    }

    /** Refuses a URL that has anything but host, port and database before its options, before a driver sees it. */
    private void checkHost() {
        int end = Separators.of(driverUrl).endOfPlace();
        Matcher url = HOST_FIRST.matcher(driverUrl);
        if (url.matches() && (url.group(1) != null || !database().equals(driverUrl.substring(0, end)))) {
            throw new Misconfigured("store URL '" + database()
                    + "': write //HOST:5432/DATABASE?user=…&password=… after the product, with digits after the host");
        }
    }

    /** Opens the store over connections of its own. */
    @SuppressWarnings("try") // the wait is declared only to be closed
    OpenStore openKept(JdbcStore.Supply supply) {
        checkHost();
        try (Connection connection = connect(new Properties(), longestLogin());
                AnswerWait wait = AnswerWait.atMost(connection, LoginWait.limit(patience()))) {
            return open(connection, supply);
        } catch (SQLException e) {
            throw NoConnection.to(driver(), e);
        }
    }

    /** Returns how to reach the database without opening the store, and without creating a database. */
    DatabaseAccess access() {
        SequenceTable table =
                options.isNative(TableOptions.NAMES) ? SequenceTable.own() : new TableOptions(options).table();
        DurabilityCheck.of(options);
        checkHost();
        return new DatabaseAccess(database(), table, scrubbing(), (readOnly, limit) -> {
            try {
                return connect(Dialects.existing(driverUrl, readOnly), limit.multipliedBy(driver().hosts()));
            } catch (SQLException e) {
                throw NoConnection.to(driver(), scrubbing().of(e));
            }
        });
    }

    private OpenStore open(Connection connection, JdbcStore.Supply supply) throws SQLException {
        boolean natively = options.isNative(TableOptions.NAMES);
        SequenceTable table = new TableOptions(options).table();
        DurabilityCheck durability = DurabilityCheck.of(options);
        Dialect dialect = Dialects.of(connection);
        if (natively) {
            return NativeSequences.of(
                    connection, supply.of(dialect, database()), dialect, durability, database(), patience());
        }
        return JdbcStore.of(connection, dialect, table, durability, database(), patience(), supply);
    }

    /** Returns what closes an object if it is closeable. */
    static Runnable closing(Object perhaps) {
        return perhaps instanceof AutoCloseable closable ? () -> close(closable) : () -> {};
    }

    private static void close(AutoCloseable closable) {
        try {
            closable.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new Unavailable("the data source could not be closed (" + e.getMessage() + ")", e);
        }
    }
}
