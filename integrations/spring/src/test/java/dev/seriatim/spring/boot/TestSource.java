// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.servers.Database;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A data source without a pool, which remembers its database. Thread-safe. */
final class TestSource extends DriverManagerDataSource {

    private final Database database;

    TestSource(Database database) {
        super(database.location(), database.user(), database.password());
        this.database = database;
    }

    Database database() {
        return database;
    }
}
