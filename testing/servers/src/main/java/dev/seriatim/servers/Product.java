// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

/** The products of the {@link Engine}s, by name only. */
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

    /** Returns the environment variable that names a user's server. */
    String variable() {
        return "SERIATIM_TEST_" + name() + "_URL";
    }
}
