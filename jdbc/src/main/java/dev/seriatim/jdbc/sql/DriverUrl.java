// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.store.StoreUrl;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A URL as passed to a driver, and how the driver reads it.
 *
 * @param text may contain secrets
 */
public record DriverUrl(String text) {

    private static final Pattern MARIA_DBS =
            Pattern.compile("(?is)\\s*jdbc:(?:[a-z-]+:)?(?:mariadb:|mysql:.*permitMysqlScheme).*");

    private static final Pattern PRIVATE =
            Pattern.compile("(?is)\\s*jdbc:(?:h2:mem:(?:;.*)?|sqlite:(?:\\?.*)?|sqlite:(?:file:)?:memory:.*)");

    private static final Pattern OF_FILES = Pattern.compile("(?is)\\s*jdbc:(?:h2|sqlite):.*");

    private static final Map<String, String> DRIVERS = Map.of(
            "postgresql", "org.postgresql.Driver",
            "sqlite", "org.sqlite.JDBC",
            "mariadb", "org.mariadb.jdbc.Driver",
            "mysql", "com.mysql.cj.jdbc.Driver",
            "h2", "org.h2.Driver",
            "spanner", "com.google.cloud.spanner.jdbc.JdbcDriver",
            "sqlserver", "com.microsoft.sqlserver.jdbc.SQLServerDriver",
            "aws-dsql", "software.amazon.dsql.jdbc.DSQLConnector");

    private static final Set<String> LOGIN_LIMITS = Set.of("logintimeout", "sockettimeout");

    private static final String PREPARES = "useServerPrepStmts";

    private static final String CANCELS = "cancelSignalTimeout";

    /** Returns whether each connection opens a database of its own in memory, empty, which ends with it. */
    public boolean isPrivate() {
        return PRIVATE.matcher(text).matches();
    }

    /** The separators of a URL's options; the first option begins, or the URL ends, at {@code endOfPlace}. */
    public record Separators(int endOfPlace, char first, char next) {

        public static Separators of(String text) {
            int questionMark = text.indexOf('?');
            int semicolon = text.indexOf(';');
            // Spanner's driver requires a question mark or a semicolon first, then semicolons.
            boolean spanners = text.startsWith("jdbc:cloudspanner:");
            boolean asked = questionMark >= 0 && !(spanners && semicolon >= 0 && semicolon < questionMark);
            int begin = asked ? questionMark : semicolon;
            return new Separators(begin < 0 ? text.length() : begin, asked ? '?' : ';', asked && !spanners ? '&' : ';');
        }

        public String[] options(String text) {
            return endOfPlace == text.length()
                    ? new String[0]
                    : text.substring(endOfPlace + 1).split(String.valueOf(next), -1);
        }
    }

    /** Returns the driver that accepts this URL, also where a fat jar or a container hides it from {@link DriverManager}. */
    public Driver driver() throws SQLException {
        try {
            return DriverManager.getDriver(text);
        } catch (SQLException unknown) {
            Driver named = product().flatMap(DriverUrl::named).orElseThrow(() -> unknown);
            if (!named.acceptsURL(text)) {
                throw unknown;
            }
            return named;
        }
    }

    /** Returns the product of a supported driver. */
    public Optional<String> product() {
        return Optional.of(text.replaceFirst("(?s)^jdbc:(?:cloud)?([a-z0-9-]+):.*", "$1"))
                .filter(DRIVERS::containsKey);
    }

    /** Loads the driver for a product; empty if it is not on the class path. */
    public static Optional<Driver> named(String product) {
        for (ClassLoader loader : Arrays.asList(
                DriverUrl.class.getClassLoader(), Thread.currentThread().getContextClassLoader())) {
            try {
                var found = Class.forName(DRIVERS.get(product), true, loader).asSubclass(Driver.class);
                return Optional.of(found.getDeclaredConstructor().newInstance());
            } catch (ReflectiveOperationException | LinkageError e) {
                // not there, or not all that it needs
            }
        }
        return Optional.empty();
    }

    /** Returns the database for display: the URL without options and secrets. */
    public String database() {
        return StoreUrl.redacted(text);
    }

    /** Returns {@link #database()}, so that a logged URL shows no secret. */
    @Override
    public String toString() {
        return database();
    }

    public List<String> options() {
        return List.of(Separators.of(text).options(text));
    }

    /** Returns the value of a driver's option, undecoded. */
    public Optional<String> option(String name) {
        return options().stream()
                .filter(option -> option.startsWith(name + "="))
                .map(option -> option.substring(name.length() + 1))
                .findFirst();
    }

    /** Returns whether PostgreSQL's driver connects, by itself or beneath Aurora DSQL's. */
    public boolean isPostgres() {
        return text.startsWith("jdbc:postgresql:") || isDsqlConnectors();
    }

    public boolean isDsqlConnectors() {
        return text.startsWith("jdbc:aws-dsql:");
    }

    /** Returns whether the URL says how long its driver waits for an answer to a login. */
    public boolean boundsLogin() {
        return options().stream().anyMatch(option -> LOGIN_LIMITS.contains(name(option)));
    }

    /** Returns whether its driver opens a file, which it may have to recover first. */
    public boolean opensFile() {
        return OF_FILES.matcher(text).matches();
    }

    /** Returns how many hosts its driver tries, one after another. */
    public long hosts() {
        return 1 + database().chars().filter(c -> c == ',').count();
    }

    /** Returns the option with which MariaDB's driver prepares statements in the server, unless the URL has it. */
    public Properties preparing() {
        Properties options = new Properties();
        boolean given = options().stream().anyMatch(option -> name(option).equals(PREPARES.toLowerCase(Locale.ROOT)));
        if (MARIA_DBS.matcher(text).matches() && !given) {
            options.setProperty(PREPARES, "true");
        }
        return options;
    }

    /** Adds the option with which PostgreSQL's driver waits 1 s instead of 10 for a server to cancel a statement. */
    public void boundCancelling(Properties options) {
        if (isPostgres() && option(CANCELS).isEmpty()) {
            options.putIfAbsent(CANCELS, "1");
        }
    }

    private static String name(String option) {
        return option.split("=", 2)[0].toLowerCase(Locale.ROOT);
    }
}
