// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers.pages;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The databases of a page's reader: {@code jdbc:postgresql://HOST/DATABASE?user=USER&password=PASSWORD}, and the same
 * for MariaDB. Each is created on first use, with the tables below. Not thread-safe.
 */
public final class ReadersDatabases {

    private static final String ANY = "://HOST/DATABASE?user=USER&password=PASSWORD";

    private final Map<Engine, Database> databases = new EnumMap<>(Engine.class);

    /**
     * Returns the block with these databases for its placeholders. Skips the test if an engine that it names is
     * missing.
     */
    public Fence in(Fence fence) {
        Map<String, String> places = new LinkedHashMap<>();
        for (Engine engine : new Engine[] {Engine.POSTGRESQL, Engine.MARIADB}) {
            String place = "jdbc:" + engine.name().toLowerCase(Locale.ROOT) + ANY;
            if (fence.text().contains(place)) {
                places.put(
                        place,
                        databases
                                .computeIfAbsent(engine, ReadersDatabases::fresh)
                                .url());
            }
        }
        return fence.with(places);
    }

    private static Database fresh(Engine engine) {
        Database database = engine.freshDatabase();
        try {
            database.execute(
                    "CREATE TABLE orders (id BIGINT NOT NULL PRIMARY KEY, at TIMESTAMP)",
                    "CREATE TABLE big (id BIGINT, at TIMESTAMP)",
                    "CREATE TABLE bill (id BIGINT PRIMARY KEY, number BIGINT)");
        } catch (SQLException e) {
            throw new IllegalStateException("cannot create the tables of " + database, e);
        }
        return database;
    }
}
