// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The engines that tests run on. A server is started at most once per build, when its first database is requested, and
 * ends with Maven; outside a build, once per JVM. Tests of an engine that is not installed are skipped, or fail if
 * {@code SERIATIM_TEST_REQUIRE} names it. Thread-safe.
 */
public enum Engine {
    /** SQLite: files, without a server. */
    SQLITE("SQLite", Engine::sqlite),
    /** H2: in this JVM's memory, without a server; {@link H2Files} guarantee less. */
    H2("H2", Engine::h2),
    POSTGRESQL("PostgreSQL", new SharedServers(PostgresqlSoftware.ofMaven())),
    MARIADB("MariaDB", new SharedServers(new MariadbSoftware())),
    /** Three nodes of MariaDB with Galera, as installed on the system. */
    GALERA(
            "Galera",
            new SharedServers(
                    GaleraCluster.Node.UNSTARTED, () -> GaleraCluster.start().nodes())),
    MYSQL("MySQL", new SharedServers(new MysqlSoftware())),
    SQLSERVER("SQL Server", new Source() {
        @Override
        public Optional<String> missing() {
            return Optional.of("none can be installed here; run one");
        }

        @Override
        public List<Database> create(String name) {
            throw new AssertionError(missing());
        }
    });

    /** Creates databases of one engine. */
    interface Source {
        /** Returns why it cannot create any, with the remedy; empty if it can. */
        default Optional<String> missing() {
            return Optional.empty();
        }

        /** Creates a database with this name, and returns it as seen through each node. */
        List<Database> create(String name);
    }

    private final String title;

    // Refers to the JVM's single server on purpose.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Source source;

    Engine(String title, Source ownSource) {
        this.title = title;
        String urls = System.getenv(Availability.variable(title));
        this.source = urls == null || urls.isBlank() ? ownSource : name -> Databases.createOnUsers(urls, name);
    }

    private static List<Database> sqlite(String name) {
        String file = TemporaryFolder.forFiles("sqlite").resolve(name + ".db").toString();
        return List.of(new Database("jdbc:sqlite:", file, Map.of(), "", ""));
    }

    private static List<Database> h2(String name) {
        Map<String, String> untilJvmEnds = Map.of("DB_CLOSE_DELAY", "-1");
        return List.of(new Database("jdbc:h2:mem:", name, untilJvmEnds, "sa", ""));
    }

    /** Creates an empty database. Skips or fails the test without the engine; {@code @AfterEach} runs nevertheless. */
    public Database freshDatabase() {
        return freshDatabaseOnEachNode().get(0);
    }

    /** Creates a new, empty database, as seen through each node; one element if there is a single server. */
    public List<Database> freshDatabaseOnEachNode() {
        assume();
        return source.create(Databases.freshName());
    }

    /** Skips or fails the test if this engine is not available. Starts nothing. */
    public void assume() {
        Availability.check(title(), missing());
    }

    /** Returns why this engine is not available, with the remedy; empty if it is. Starts nothing. */
    public Optional<String> missing() {
        return source.missing().map(reason -> reason + ", or set " + Availability.variable(title));
    }

    public String title() {
        return title;
    }
}
