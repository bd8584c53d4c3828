// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Skips tests of software that is not installed and reports it once, or fails if the environment requires the software.
 * Also fails on unknown names in the environment: a typing error must not make the build green. Thread-safe.
 */
final class Availability {
    private static final String VARIABLE = "SERIATIM_TEST_REQUIRE";
    private static final String OURS = "SERIATIM_TEST_";

    /** Read by the tests of the module {@code couchbase}. */
    private static final String COUCHBASE = "SERIATIM_TEST_COUCHBASE";

    /** Read by the tests of the module {@code pollers}. */
    private static final List<String> POLLERS = List.of("SERIATIM_TEST_KAFKA_HOME", "SERIATIM_TEST_LOGSTASH_HOME");

    private static final List<String> ENGINES =
            List.of("SQLite", "H2", "PostgreSQL", "MariaDB", "Galera", "MySQL", "SQL Server");

    private static final Availability OF_THIS_JVM = new Availability(System.getenv(), System.err);

    private final Set<String> reported = ConcurrentHashMap.newKeySet();
    private final Map<String, String> environment;
    private final PrintStream out;

    Availability(Map<String, String> environment, PrintStream out) {
        this.environment = Map.copyOf(environment);
        this.out = out;
    }

    /** Skips or fails the test if the software is missing. Fails on unknown names in the environment. */
    static void check(String title, Optional<String> missing) {
        OF_THIS_JVM.demand(title, missing);
    }

    /** Returns the environment variable that names a user's server. */
    static String variable(String engine) {
        return OURS + engine.replace(" ", "").toUpperCase(Locale.ROOT) + "_URL";
    }

    void demand(String title, Optional<String> missing) {
        if (titles().noneMatch(title::equals)) {
            throw new IllegalArgumentException("unknown software: " + title);
        }
        refuseUnknownVariables();
        Set<String> required = required();
        missing.ifPresent(reason -> refuse(title, reason, required));
    }

    private void refuse(String title, String reason, Set<String> required) {
        String line = title + ", because " + reason;
        if (required.contains(lowerCase(title))) {
            throw new AssertionError("required by " + VARIABLE + ": " + line);
        }
        if (reported.add(title)) {
            out.println("skipped: " + line);
        }
        Assumptions.abort("skipped: " + line);
    }

    private Set<String> required() {
        String names = environment.getOrDefault(VARIABLE, "");
        List<String> all = titles().map(Availability::lowerCase).toList();
        Set<String> required = Stream.of(names.isBlank() ? new String[0] : names.split(",", -1))
                .map(name -> lowerCase(name.strip()))
                .collect(Collectors.toSet());
        if (!all.containsAll(required)) {
            throw new IllegalArgumentException("%s must be one or more of %s, separated by commas, not '%s'"
                    .formatted(VARIABLE, String.join(", ", all), names));
        }
        return required;
    }

    private void refuseUnknownVariables() {
        List<String> all = Stream.of(
                        ENGINES.stream().map(Availability::variable),
                        Stream.of(VARIABLE, MariadbSoftware.HOME, MysqlSoftware.HOME, COUCHBASE),
                        POLLERS.stream())
                .flatMap(names -> names)
                .toList();
        Set<String> unknown = new TreeSet<>(environment.keySet());
        unknown.removeIf(name -> !name.startsWith(OURS) || all.contains(name));
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "unknown variable %s; known: %s".formatted(String.join(", ", unknown), String.join(", ", all)));
        }
    }

    private static Stream<String> titles() {
        return Stream.concat(
                ENGINES.stream(),
                Stream.of(SpannerEmulator.TITLE, Browser.TITLE, PgBouncer.TITLE, Server.TITLE_OF_THE_SYSTEMS));
    }

    private static String lowerCase(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
