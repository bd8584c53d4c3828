// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

/** The products that {@link Engine}s are of, by name alone. */
enum Product {
    SQLITE("SQLite"),
    H2("H2"),
    POSTGRESQL("PostgreSQL"),
    MARIADB("MariaDB"),
    GALERA("Galera"),
    MYSQL("MySQL");

    private final String title;

    Product(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** The environment variable that names a server of the user's own. */
    String variable() {
        return "SERIATIM_TEST_" + name() + "_URL";
    }
}
