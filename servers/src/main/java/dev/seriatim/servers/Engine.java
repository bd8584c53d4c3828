// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.List;
import java.util.Optional;

/**
 * The engines that tests run on. A server is started at most once per build, when its first database is asked for, and is
 * gone when Maven ends; where no build runs, once per JVM. Where an engine is not installed, its tests are skipped, or fail
 * if the environment variable {@code SERIATIM_TEST_REQUIRE} names it. Thread-safe.
 */
public enum Engine {
    /** SQLite: files, no server. */
    SQLITE(Product.SQLITE, new SqliteFiles()),
    /** H2: in this JVM's memory, no server; {@link H2Files} keep less of what they promise. */
    H2(Product.H2, new H2Memory()),
    /** PostgreSQL, from Maven. */
    POSTGRESQL(Product.POSTGRESQL, new ServerDatabases(new PostgresqlSoftware())),
    /** MariaDB, as the system has it. */
    MARIADB(Product.MARIADB, new ServerDatabases(new MariadbSoftware())),
    /** Three nodes of MariaDB with Galera, as the system has it. */
    GALERA(Product.GALERA, new GaleraDatabases()),
    /** MySQL, where there is one. */
    MYSQL(Product.MYSQL, new ServerDatabases(new MysqlSoftware()));

    private final Product product;

    // It holds the JVM's one server, which is the point.
    @SuppressWarnings("ImmutableEnumChecker")
    private final DatabaseSource source;

    Engine(Product product, DatabaseSource ownSource) {
        this.product = product;
        String url = System.getenv(product.variable());
        this.source = url == null || url.isBlank() ? ownSource : new UserServer(url);
    }

    /**
     * A new, empty database.
     *
     * @throws org.opentest4j.TestAbortedException if the engine is not there, which skips the test
     * @throws AssertionError if it is not there although {@code SERIATIM_TEST_REQUIRE} names it
     */
    public Database freshDatabase() {
        return freshDatabaseOnEachNode().get(0);
    }

    /** A new, empty database, as each node of the cluster offers it; one element where there is one server. */
    public List<Database> freshDatabaseOnEachNode() {
        assume();
        return source.create(Databases.freshName());
    }

    /** Skips the test, or fails it, if this engine is not there; starts nothing. */
    public void assume() {
        Availability.check(title(), missing());
    }

    /** Why this engine is not there, and the remedy; empty if it is. */
    public Optional<String> missing() {
        return source.missing().map(reason -> reason + ", or set " + product.variable());
    }

    /** The name of the product. */
    public String title() {
        return product.title();
    }
}
