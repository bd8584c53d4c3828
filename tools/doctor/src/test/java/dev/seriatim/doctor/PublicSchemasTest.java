// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.seriatim.cli.CommandLineRun;
import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The command on schemas that many databases have, with rows, as they are and with faults of many kinds.
 *
 * <p>A schema is the file {@code schemas/NAME.sql}; {@code schemas/NAME.plants} changes it. A plant begins with a line {@code --- KIND}.
 * A line {@code --> LEVEL FAULT SUBJECT} says what has to be found, and {@code --> nothing} that no error and no warning may be. Of the statements that an
 * application runs next, {@code --! SQL} fails until the fault is mended, and {@code --? SQL} succeeds before and after. {@code --= OPTION VALUE}
 * is an option of the command. Further lines are statements, which end with a semicolon at the end of a line, or commands of this library, which begin with {@code $}. The plant {@code
 * as it is} names the warnings of the schema itself.
 */
class PublicSchemasTest {

    private static final String AS_IT_IS = "as it is";

    private static final Map<String, Engine> SCHEMAS = Map.of(
            "pagila", Engine.POSTGRESQL,
            "django", Engine.POSTGRESQL,
            "quartz", Engine.POSTGRESQL,
            "chinook", Engine.POSTGRESQL,
            "sakila", Engine.MARIADB,
            "wordpress", Engine.MARIADB,
            "mediawiki", Engine.MARIADB,
            "northwind", Engine.SQLITE,
            "places", Engine.SQLITE);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit's to set
    private Path folder;

    /**
     * A change of a schema.
     *
     * @param kind what was done, in words that hold for each engine
     * @param expected the findings, with their levels
     * @param failing what an application does next, and cannot before the fault is mended
     * @param working what it can do before and after
     * @param options the options that find it
     * @param steps statements, and commands
     */
    private record Plant(
            String kind,
            List<String> expected,
            List<String> failing,
            List<String> working,
            List<String> options,
            List<String> steps) {

        static Plant of(String kind) {
            return new Plant(
                    kind,
                    new ArrayList<>(),
                    new ArrayList<>(),
                    new ArrayList<>(),
                    new ArrayList<>(),
                    new ArrayList<>());
        }

        boolean fails() {
            return expected.stream().anyMatch(finding -> finding.startsWith("error "));
        }

        void plant(Database database) throws SQLException {
            for (String step : steps) {
                if (step.startsWith("$ ")) {
                    run(database, step.substring(2));
                } else {
                    database.execute(step);
                }
            }
        }
    }

    static Stream<String> schemas() {
        return SCHEMAS.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void each_planted_fault_is_found_and_none_else_and_what_is_printed_mends_it(String schema) throws Exception {
        Engine engine = Objects.requireNonNull(SCHEMAS.get(schema));
        // A printed line may hold several statements.
        Database database = engine == Engine.MARIADB
                ? engine.freshDatabase().option("allowMultiQueries", "true")
                : engine.freshDatabase();
        for (Plant part : read(schema + ".sql", database)) {
            part.plant(database);
        }
        List<Plant> plants = read(schema + ".plants", database);
        List<String> expected = new ArrayList<>(plants.get(0).expected());
        assertThat(levelled(Examination.of(database.url())))
                .as(AS_IT_IS)
                .containsExactlyInAnyOrderElementsOf(expected)
                .noneMatch(finding -> finding.startsWith("error "));

        for (Plant plant : plants.subList(1, plants.size())) {
            plant.plant(database);
            expected.addAll(plant.expected());
        }
        List<String> options = new ArrayList<>(
                plants.stream().flatMap(plant -> plant.options().stream()).toList());
        Examination planted = examination(database, options);
        List<String> notes = expected.stream()
                .filter(finding -> finding.startsWith("note "))
                .map(note -> note.substring(note.indexOf(' ') + 1))
                .toList();
        expected.removeIf(finding -> finding.startsWith("note "));
        assertThat(levelled(planted)).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(planted.notes()).containsAll(notes);
        for (Plant plant : plants) {
            assertThat(working(database, plant.failing()))
                    .as("%s, planted", plant.kind())
                    .isEmpty();
            assertThat(working(database, plant.working()))
                    .as("%s, planted", plant.kind())
                    .isEqualTo(plant.working());
        }

        Set<String> accepted = mended(database, options);
        Path file = Files.write(folder.resolve("accepted"), accepted);
        options.addAll(List.of("--accept", file.toString()));
        Examination after = examination(database, options);
        assertThat(after.findings()).isEmpty();
        assertThat(after.run().code()).isEqualTo(ExitCode.DONE);
        for (Plant plant : plants) {
            boolean left = plant.expected().stream()
                    .map(finding -> finding.substring(finding.indexOf(' ') + 1))
                    .anyMatch(finding -> accepted.stream().anyMatch(line -> line.startsWith(finding + "  #")));
            assertThat(working(database, plant.working()))
                    .as("%s, mended", plant.kind())
                    .isEqualTo(plant.working());
            if (!left) {
                assertThat(working(database, plant.failing()))
                        .as("%s, mended", plant.kind())
                        .isEqualTo(plant.failing());
            }
        }
    }

    @Test
    void the_plants_are_of_many_kinds_and_many_are_no_faults() throws Exception {
        List<Plant> all = new ArrayList<>();
        for (String schema : SCHEMAS.keySet()) {
            all.addAll(read(schema + ".plants", new Database("jdbc:none:", "none", Map.of(), "", "")));
        }
        all.removeIf(plant -> plant.kind().equals(AS_IT_IS));
        assertThat(all).hasSizeGreaterThanOrEqualTo(60);
        assertThat(all.stream().map(Plant::kind).distinct()).hasSizeGreaterThanOrEqualTo(45);
        assertThat(all).filteredOn(plant -> plant.expected().isEmpty()).hasSizeGreaterThanOrEqualTo(15);
        assertThat(all).filteredOn(Plant::fails).hasSizeGreaterThanOrEqualTo(25);
    }

    /** Lets the command mend, and runs what it prints. Returns the lines that accept the findings for which it only advises. */
    private static Set<String> mended(Database database, List<String> options) throws SQLException {
        Set<String> accepted = new LinkedHashSet<>();
        List<String> mending = new ArrayList<>(options);
        mending.add("--mend");
        for (JsonObject finding : examination(database, mending).all()) {
            switch (finding.get("remedy_kind").getAsString()) {
                case "raises", "changes" -> database.execute(Examination.remedy(finding));
                case "command" -> run(database, Examination.command(finding));
                default -> accepted.add(Examination.shown(finding) + "  # " + Examination.remedy(finding));
            }
        }
        return accepted;
    }

    private static Examination examination(Database database, List<String> options) {
        return Examination.of(database.url(), options.toArray(String[]::new));
    }

    private static void run(Database database, String words) {
        CommandLineRun.on(database.url(), words.split(" ", -1)).succeeded();
    }

    private static List<String> levelled(Examination examination) {
        return examination.all().stream()
                .map(finding -> (finding.get("level").getAsString() + " " + Examination.shown(finding)).strip())
                .toList();
    }

    /** Returns the statements that succeed; what they write is rolled back. */
    private static List<String> working(Database database, List<String> all) throws SQLException {
        List<String> working = new ArrayList<>();
        for (String sql : all) {
            try (var connection = database.connect();
                    var statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                try {
                    statement.execute(sql);
                } catch (SQLException e) {
                    continue;
                }
                connection.rollback();
                working.add(sql);
            }
        }
        return working;
    }

    private static List<Plant> read(String file, Database database) throws IOException {
        List<Plant> plants = new ArrayList<>(List.of(Plant.of("")));
        StringBuilder statement = new StringBuilder();
        for (String line : text(file).replace("$db", database.name()).lines().toList()) {
            Plant plant = plants.get(plants.size() - 1);
            boolean between = statement.isEmpty();
            if (between && line.startsWith("--- ")) {
                plants.add(Plant.of(line.substring(4)));
            } else if (between && line.startsWith("--> ")) {
                Stream.of(line.substring(4))
                        .filter(text -> !text.equals("nothing"))
                        .forEach(plant.expected()::add);
            } else if (between && line.startsWith("--! ")) {
                plant.failing().add(line.substring(4));
            } else if (between && line.startsWith("--? ")) {
                plant.working().add(line.substring(4));
            } else if (between && line.startsWith("--= ")) {
                plant.options().addAll(List.of(line.substring(4).split(" ", -1)));
            } else if (between && line.startsWith("$ ")) {
                plant.steps().add(line);
            } else if (!between || !(line.isBlank() || line.startsWith("--"))) {
                statement.append(between ? "" : "\n").append(line);
                if (line.endsWith(";")) {
                    plant.steps().add(statement.substring(0, statement.length() - 1));
                    statement.setLength(0);
                }
            }
        }
        assertThat(statement.toString()).as("the end of " + file).isEmpty();
        plants.removeIf(plant -> plant.kind().isEmpty() && plant.steps().isEmpty());
        return plants;
    }

    private static String text(String file) throws IOException {
        String name = "/schemas/" + file;
        try (var in = Objects.requireNonNull(PublicSchemasTest.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
