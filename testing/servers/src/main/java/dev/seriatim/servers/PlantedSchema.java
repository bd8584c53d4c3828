// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A schema for tests of checks: faults, each of which a check has to find, and clean objects, where it must find nothing.
 *
 * <p>The schemas are in the files {@code planted/*.sql}. A line {@code --- behind public.orders.id} names a fault and what is at fault,
 * as a finding shows it; the statements below it plant this fault. Those below {@code --- clean} create the clean objects, and those
 * below {@code --- before} what everything needs. A statement ends with a semicolon at the end of a line.
 */
public record PlantedSchema(List<String> before, Map<String, List<String>> faults, List<String> clean) {

    private static final int FIRST_WITH_UNLOGGED_SEQUENCES = 15;
    private static final String HEADING = "--- ";

    public static PlantedSchema postgresql(int version) {
        return version < FIRST_WITH_UNLOGGED_SEQUENCES
                ? read("", "postgresql")
                : read("", "postgresql", "postgresql-15");
    }

    /** Returns the schema for a database of MariaDB; it creates another database beside it. */
    public static PlantedSchema mariaDb(String database) {
        return read(database, "auto-increment", "mariadb");
    }

    public static PlantedSchema mySql(String database) {
        return read(database, "auto-increment", "mysql");
    }

    public static PlantedSchema sqlite() {
        return read("", "sqlite");
    }

    /** Plants everything in an empty database. */
    public void plant(Database database) throws SQLException {
        plantClean(database);
        for (List<String> fault : faults.values()) {
            database.execute(fault.toArray(String[]::new));
        }
    }

    /** Creates only the clean objects in an empty database. */
    public void plantClean(Database database) throws SQLException {
        database.execute(before.toArray(String[]::new));
        database.execute(clean.toArray(String[]::new));
    }

    private static PlantedSchema read(String database, String... files) {
        Map<String, List<String>> sections = new LinkedHashMap<>();
        for (String file : files) {
            List<String> section = new ArrayList<>();
            StringBuilder statement = new StringBuilder();
            for (String line : text(file).replace("$db", database).lines().toList()) {
                boolean between = statement.isEmpty();
                if (between && line.startsWith(HEADING)) {
                    section = sections.computeIfAbsent(line.substring(HEADING.length()), heading -> new ArrayList<>());
                } else if (!between || !(line.isBlank() || line.startsWith("--"))) {
                    statement.append(between ? "" : "\n").append(line);
                    if (line.endsWith(";")) {
                        section.add(statement.substring(0, statement.length() - 1));
                        statement.setLength(0);
                    }
                }
            }
        }
        List<String> before = Objects.requireNonNullElse(sections.remove("before"), List.of());
        List<String> clean = Objects.requireNonNull(sections.remove("clean"), "no clean objects");
        return new PlantedSchema(before, sections, clean);
    }

    private static String text(String file) {
        String name = "planted/" + file + ".sql";
        try (var in = Objects.requireNonNull(PlantedSchema.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }
}
