// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.failure.DriverUrl;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Explains why no driver accepts a JDBC URL: the driver is missing, or the URL is misspelt.
 *
 * <p>Immutable and thread-safe.
 *
 * @param url the URL
 * @param taken whether any driver accepts URLs like the given one
 */
record NoDriver(DriverUrl url, Predicate<String> taken) {

    /**
     * A database whose URLs begin with its name.
     *
     * @param artefact its driver
     * @param form the rest of its URLs
     * @param like the rest of a sample URL that its driver accepts
     */
    private record Product(String artefact, String form, String like) {

        static Product server(String artefact) {
            return new Product(artefact, "//HOST:PORT/DATABASE?user=…&password=…", "//localhost/db");
        }
    }

    private static final Map<String, Product> PRODUCTS = new TreeMap<>(Map.of(
            "postgresql",
            Product.server("org.postgresql:postgresql"),
            "mariadb",
            Product.server("org.mariadb.jdbc:mariadb-java-client"),
            "mysql",
            Product.server("com.mysql:mysql-connector-j"),
            "h2",
            new Product("com.h2database:h2", "FILE;USER=…;PASSWORD=…", "file"),
            "sqlite",
            new Product("org.xerial:sqlite-jdbc", "FILE", "file"),
            "cloudspanner",
            new Product(
                    "com.google.cloud:google-cloud-spanner-jdbc",
                    "/projects/PROJECT/instances/INSTANCE/databases/DATABASE",
                    "/projects/project/instances/instance/databases/database")));

    private static final Map<String, String> OTHER_NAMES = Map.of(
            "postgres",
            "postgresql",
            "pgsql",
            "postgresql",
            "pg",
            "postgresql",
            "maria",
            "mariadb",
            "spanner",
            "cloudspanner",
            "sqlite3",
            "sqlite");

    private static final Pattern NAME = Pattern.compile("(?i)\\s*jdbc:([a-z0-9-]*)");
    private static final int MISTAKES = 2;

    /** Asks the registered drivers. */
    static Misconfigured takes(DriverUrl url, SQLException e) {
        return new NoDriver(url, NoDriver::isTaken).told(e);
    }

    private static boolean isTaken(String like) {
        try {
            DriverManager.getDriver(like);
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    Misconfigured told(SQLException e) {
        String name = name();
        if (PRODUCTS.containsKey(name)) {
            return new Misconfigured(hasDriver(name) ? notTaken(name) : missing(name), e);
        }
        Optional<String> meant = meant(name);
        return new Misconfigured(
                "no JDBC driver on the class path accepts " + url.database()
                        + (meant.isPresent()
                                ? "; write jdbc:" + meant.get() + ":"
                                : "; check its spelling, or add the driver's jar (for the command:"
                                        + " SERIATIM_CLASSPATH=FILE.jar); supported: " + Dialects.KNOWN),
                e);
    }

    private String notTaken(String name) {
        return url.strayPercent()
                .orElseGet(() -> "the driver rejects " + url.database() + "; write it as jdbc:" + name + ":"
                        + product(name).form());
    }

    private String missing(String name) {
        String jar = product(name).artefact() + " (for the command: SERIATIM_CLASSPATH=FILE.jar)";
        String what = "no JDBC driver on the class path accepts " + url.database();
        return name.equals("mysql") && hasDriver("mariadb")
                ? what
                        + "; MariaDB's driver is present and works with MySQL: write jdbc:mariadb:, or add MySQL's own driver, "
                        + jar
                : what + "; add " + jar;
    }

    private boolean hasDriver(String name) {
        return taken.test("jdbc:" + name + ":" + product(name).like());
    }

    private static Product product(String name) {
        return Objects.requireNonNull(PRODUCTS.get(name));
    }

    private String name() {
        Matcher begin = NAME.matcher(url.text());
        return begin.lookingAt() ? begin.group(1).toLowerCase(Locale.ROOT) : "";
    }

    private static Optional<String> meant(String name) {
        String other = OTHER_NAMES.get(name);
        return other != null
                ? Optional.of(other)
                : PRODUCTS.keySet().stream()
                        .filter(product -> name.length() > 2 * MISTAKES && distance(name, product) <= MISTAKES)
                        .min(Comparator.comparingInt(product -> distance(name, product)));
    }

    /** Returns the edit distance: the number of letters inserted, deleted or replaced. */
    private static int distance(String typed, String meant) {
        int[] before = new int[meant.length() + 1];
        for (int i = 0; i <= typed.length(); i++) {
            int[] row = new int[meant.length() + 1];
            for (int j = 0; j <= meant.length(); j++) {
                row[j] = i == 0 || j == 0
                        ? i + j
                        : Math.min(
                                Math.min(before[j], row[j - 1]) + 1,
                                before[j - 1] + (typed.charAt(i - 1) == meant.charAt(j - 1) ? 0 : 1));
            }
            before = row;
        }
        return before[meant.length()];
    }
}
