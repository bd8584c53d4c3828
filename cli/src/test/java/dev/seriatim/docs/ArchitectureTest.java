// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final List<String> MODULES =
            List.of("core", "testkit", "servers", "jdbc", "spanner", "couchbase", "cli", "lab", "benchmarks");
    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
    private static final Pattern BLOCK = Pattern.compile("```.*?```", Pattern.DOTALL);
    private static final Pattern TYPE = Pattern.compile("(?<!-)\\b[A-Z][a-z]\\w*(?:\\.[A-Z][a-z]\\w*)*");
    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|interface|record|enum)\\s+([A-Z]\\w*)");
    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
    private static final Pattern IMPORT = Pattern.compile("^import (?:static )?([\\w.]+)", Pattern.MULTILINE);

    /** Words that begin like a type and are none of ours. */
    private static final Set<String> FOREIGN = Set.of(
            "AbortedException",
            "AtomicLong",
            "DataSource",
            "Error",
            "Java",
            "Name",
            "OutOfMemoryError",
            "ReentrantLock",
            "RuntimeException",
            "Savepoint",
            "Statement",
            "TransactionContext",
            "TransactionManager");

    private final String page = Repository.read("ARCHITECTURE.md");

    @Test
    void every_type_that_the_documents_name_exists() {
        Set<String> declared = declaredTypes();
        for (String document : List.of("ARCHITECTURE.md", "CONTRIBUTING.md", "docs/decisions")) {
            assertThat(unknownTypes(text(document), declared)).as(document).isEmpty();
        }
    }

    @Test
    void a_type_that_does_not_exist_would_be_found() {
        assertThat(unknownTypes("see `GoneWithTheWind.next()` and ```\nBlock\n```", declaredTypes()))
                .containsExactly("GoneWithTheWind");
    }

    @Test
    void every_public_type_of_the_core_is_named() {
        Set<String> named = new TreeSet<>();
        Matcher types = TYPE.matcher(page);
        while (types.find()) {
            named.addAll(Set.of(types.group().split("\\.", -1)));
        }
        for (Path source : Repository.sources(Repository.ROOT.resolve("core/src/main/java"))) {
            String type = String.valueOf(source.getFileName()).replace(".java", "");
            if (Repository.read(source).contains("\npublic ")) {
                assertThat(named).as("ARCHITECTURE.md").contains(type);
            }
        }
    }

    @Test
    void every_module_of_the_build_is_named_and_exists() {
        Matcher modules = Pattern.compile("<module>(\\w+)</module>").matcher(Repository.read("pom.xml"));
        int found = 0;
        while (modules.find()) {
            assertThat(page).contains("\n" + modules.group(1) + "/");
            found++;
        }
        assertThat(found).isGreaterThan(4);
        Matcher listed =
                Pattern.compile("^(\\w+)/ +dev\\.seriatim", Pattern.MULTILINE).matcher(page);
        while (listed.find()) {
            assertThat(Repository.ROOT.resolve(listed.group(1)).resolve("pom.xml"))
                    .exists();
        }
    }

    @Test
    void every_file_that_the_documents_link_to_exists() {
        for (String document : List.of("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/decisions/README.md")) {
            Path folder = Repository.ROOT.resolve(document).resolveSibling("");
            Matcher links = Pattern.compile("\\]\\((?!https?:)([^)#]+)").matcher(Repository.read(document));
            while (links.find()) {
                assertThat(folder.resolve(links.group(1))).exists();
            }
        }
    }

    @Test
    void imports_point_down() {
        Map<String, List<String>> allowed = Map.of(
                "core", List.of("java.", "org.jspecify.", "dev.seriatim."),
                "jdbc", List.of("java.", "javax.sql.", "org.jspecify.", "dev.seriatim.", "org.sqlite."),
                "couchbase", List.of("java.", "org.jspecify.", "dev.seriatim.", "com.couchbase.client."),
                "servers",
                        List.of(
                                "java.",
                                "javax.sql.",
                                "org.jspecify.",
                                "org.junit.",
                                "org.opentest4j.",
                                "org.tukaani.",
                                "org.h2.",
                                "org.testcontainers."),
                "spanner", List.of("java.", "org.jspecify.", "dev.seriatim.", "com.google."),
                "testkit", List.of("java.", "org.jspecify.", "dev.seriatim.", "org.junit.", "org.assertj."));
        Map<String, String> wrong = new TreeMap<>();
        allowed.forEach((module, prefixes) -> {
            for (Path source : Repository.sources(Repository.ROOT.resolve(module + "/src/main/java"))) {
                Matcher imports = IMPORT.matcher(Repository.read(source));
                while (imports.find()) {
                    if (!pointsDown(module, imports.group(1), prefixes)) {
                        wrong.put(source.toString(), imports.group(1));
                    }
                }
            }
        });
        assertThat(wrong).isEmpty();
        assertThat(pointsDown("core", "dev.seriatim.jdbc.JdbcStore", List.of("dev.seriatim.")))
                .isFalse();
    }

    @Test
    void the_command_line_knows_no_type_of_the_laboratory() {
        assertThat(Repository.sources(Repository.ROOT.resolve("cli/src/main/java")))
                .isNotEmpty()
                .allSatisfy(source -> assertThat(Repository.read(source)).doesNotContain("dev.seriatim.lab"));
    }

    @Test
    void packages_of_the_command_line_and_of_the_laboratory_form_no_circle() {
        for (String module : List.of("cli", "lab")) {
            assertThat(inCircles(packages(module))).as(module).isEmpty();
        }
        assertThat(packages("lab").get("dev.seriatim.lab.bench.session")).contains("dev.seriatim.lab.bench.load");
        assertThat(inCircles(Map.of("a", Set.of("b"), "b", Set.of("c", "d"), "c", Set.of("a"), "d", Set.of())))
                .containsExactly("a", "b", "c");
    }

    @Test
    void no_two_files_of_the_command_line_and_the_laboratory_share_a_name_or_have_that_of_another() {
        Map<String, Integer> names = new TreeMap<>();
        Set<String> ours = new TreeSet<>();
        for (String module : MODULES) {
            for (Path source : Repository.sources(Repository.ROOT.resolve(module + "/src/main/java"))) {
                String name = String.valueOf(source.getFileName());
                if (!name.endsWith("-info.java")) {
                    names.merge(name, 1, Integer::sum);
                    if (module.equals("cli") || module.equals("lab")) {
                        ours.add(name);
                    }
                }
            }
        }
        assertThat(ours).hasSizeGreaterThan(200).noneMatch(name -> names.getOrDefault(name, 0) > 1);
    }

    /** The packages of a module, each with those that it imports from. */
    private static Map<String, Set<String>> packages(String module) {
        Map<String, Set<String>> packages = new TreeMap<>();
        for (Path source : Repository.sources(Repository.ROOT.resolve(module + "/src/main/java"))) {
            String text = Repository.read(source);
            Matcher own = PACKAGE.matcher(text);
            assertThat(own.find()).isTrue();
            Set<String> named = packages.computeIfAbsent(own.group(1), name -> new TreeSet<>());
            Matcher imports = IMPORT.matcher(text);
            while (imports.find()) {
                named.add(imports.group(1).replaceAll("\\.[A-Z].*", ""));
            }
        }
        return packages;
    }

    /** What is left when all that leads nowhere, or that nothing leads to, has been taken away again and again. */
    private static Set<String> inCircles(Map<String, Set<String>> arrows) {
        Set<String> left = new TreeSet<>(arrows.keySet());
        boolean smaller = true;
        while (smaller) {
            smaller = left.removeIf(one -> arrows.getOrDefault(one, Set.of()).stream()
                            .noneMatch(to -> !to.equals(one) && left.contains(to))
                    || left.stream()
                            .noneMatch(from -> !from.equals(one)
                                    && arrows.getOrDefault(from, Set.of()).contains(one)));
        }
        return left;
    }

    private static boolean pointsDown(String module, String imported, List<String> prefixes) {
        boolean ofAnother = imported.matches("dev\\.seriatim\\.[a-z].*")
                && !imported.startsWith("dev.seriatim." + module + ".")
                && !(imported.startsWith("dev.seriatim.table.") && !module.equals("core"));
        return !ofAnother && prefixes.stream().anyMatch(imported::startsWith);
    }

    private static String text(String document) {
        Path place = Repository.ROOT.resolve(document);
        if (!Files.isDirectory(place)) {
            return Repository.read(place);
        }
        StringBuilder all = new StringBuilder();
        String[] pages = String.valueOf(
                        place.toFile().list() == null
                                ? ""
                                : String.join("\n", place.toFile().list()))
                .split("\n", -1);
        for (String name : pages) {
            all.append(Repository.read(place.resolve(name)));
        }
        return all.toString();
    }

    private static Set<String> unknownTypes(String text, Set<String> declared) {
        Set<String> unknown = new TreeSet<>();
        Matcher code = CODE.matcher(BLOCK.matcher(text).replaceAll(""));
        while (code.find()) {
            Matcher types = TYPE.matcher(code.group(1).replaceAll("<\\w+>\\w*", ""));
            while (types.find()) {
                for (String type : types.group().split("\\.", -1)) {
                    if (!declared.contains(type) && !FOREIGN.contains(type)) {
                        unknown.add(type);
                    }
                }
            }
        }
        return unknown;
    }

    private static Set<String> declaredTypes() {
        Set<String> types = new TreeSet<>();
        for (String module : MODULES) {
            for (Path source : Repository.sources(Repository.ROOT.resolve(module + "/src"))) {
                Matcher declared = DECLARED.matcher(Repository.read(source));
                while (declared.find()) {
                    types.add(declared.group(1));
                }
            }
        }
        return types;
    }
}
