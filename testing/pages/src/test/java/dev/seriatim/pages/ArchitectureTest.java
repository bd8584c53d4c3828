// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
    private static final Pattern BLOCK = Pattern.compile("```.*?```", Pattern.DOTALL);
    private static final Pattern TYPE = Pattern.compile("(?<!-)\\b[A-Z][a-z]\\w*(?:\\.[A-Z][a-z]\\w*)*");
    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|interface|record|enum)\\s+([A-Z]\\w*)");

    /** Words that begin like a type and are none of ours. */
    private static final Set<String> FOREIGN = Set.of(
            "AbortedException",
            "AtomicLong",
            "DataSource",
            "Error",
            "Isolated",
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
    void every_package_that_the_core_exports_is_named() {
        Matcher exports =
                Pattern.compile("exports ([\\w.]+);").matcher(Repository.read("core/src/main/java/module-info.java"));
        int found = 0;
        while (exports.find()) {
            assertThat(page).contains("`" + exports.group(1) + "`");
            found++;
        }
        assertThat(found).isGreaterThan(5);
    }

    /** A newcomer begins at these places, so each line must be the one that is named. */
    @Test
    void the_places_to_start_reading_are_where_the_page_says() {
        Matcher places =
                Pattern.compile("`([\\w/.-]+\\.java):(\\d+)` \\(`([^`]+)`\\)").matcher(page);
        int found = 0;
        while (places.find()) {
            List<String> lines = Repository.read(places.group(1)).lines().toList();
            assertThat(lines.get(Integer.parseInt(places.group(2)) - 1))
                    .as(places.group())
                    .contains(places.group(3));
            found++;
        }
        assertThat(found).isEqualTo(8);
    }

    @Test
    void every_module_of_the_build_is_named_and_exists() {
        List<Path> modules = Repository.modules();
        assertThat(modules)
                .hasSizeGreaterThan(15)
                .allSatisfy(module -> assertThat(page).contains(String.valueOf(Repository.ROOT.relativize(module))));
    }

    @Test
    void every_library_of_the_bom_is_a_module_or_has_the_name_of_one() {
        Matcher libraries = Pattern.compile("<artifactId>seriatim-((?!bom)[\\w-]+)</artifactId>")
                .matcher(Repository.read("bom/pom.xml"));
        int found = 0;
        while (libraries.find()) {
            String library = libraries.group(1);
            Path descriptor = Repository.module(library).resolve("src/main/java/module-info.java");
            String declared = Files.exists(descriptor)
                    ? Repository.read(descriptor)
                    : Repository.read(Repository.module(library).resolve("pom.xml"))
                            .replace("<Automatic-Module-Name>", "module ");
            assertThat(declared).as(library).contains("module dev.seriatim");
            assertThat(declared.contains("@NullMarked") || library.equals("spanner"))
                    .as(library + " is null-marked")
                    .isTrue();
            found++;
        }
        assertThat(found).isGreaterThan(4);
    }

    @Test
    void every_file_that_the_documents_link_to_exists() {
        for (String document : List.of("ARCHITECTURE.md", "CONTRIBUTING.md", "docs/decisions/README.md")) {
            Path folder = Repository.ROOT.resolve(document).resolveSibling("");
            Matcher links = Pattern.compile("\\]\\((?!https?:)([^)#]+)").matcher(Repository.read(document));
            while (links.find()) {
                assertThat(folder.resolve(links.group(1))).exists();
            }
        }
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
        for (Path module : Repository.modules()) {
            for (Path source : Repository.sources(module)) {
                Matcher declared = DECLARED.matcher(Repository.read(source));
                while (declared.find()) {
                    types.add(declared.group(1));
                }
            }
        }
        return types;
    }
}
