// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.seriatim.servers.pages.Fence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules that keep the project light. Behind each stands a fault that it finds. */
class RulesTest {

    private static final Set<String> TOOLS = Set.of("cli", "report", "check", "bench", "verify", "doctor");
    private static final Pattern NAMES_A_TOOL =
            Pattern.compile("dev\\.seriatim\\.(cli|report|check|bench|verify|doctor)\\b" + "|\\b\\w*Benchmark\\w*\\b");
    private static final long SMALL = 60;
    private static final int MOST_SMALL_FILES = 30;
    private static final int MOST_METHODS_OF_A_PORT = 5;
    private static final double MOST_SENTENCES = 0.03;
    private static final int MOST_ODD_WORDS_OF_PAGES = 10;
    private static final int MOST_WORDS = 32_000;

    private static final List<SourceFile> SOURCES = SourceFile.all();

    // --- a published jar names no tool

    @Test
    void a_published_jar_names_no_tool() {
        assertThat(namingTools(SOURCES.stream().filter(RulesTest::isPublished))).isEmpty();
    }

    @Test
    void a_published_jar_that_names_a_tool_would_be_found() {
        assertThat(namingTools(Stream.of(source("jdbc", "dev/seriatim/jdbc/A.java", "final class BenchmarkSql {}"))))
                .hasSize(1);
        assertThat(namingTools(Stream.of(source("core", "module-info.java", "exports a to dev.seriatim.doctor;"))))
                .hasSize(1);
    }

    private static List<String> namingTools(Stream<SourceFile> sources) {
        return sources.flatMap(source -> NAMES_A_TOOL
                        .matcher(source.text())
                        .results()
                        .map(found -> source.file() + ": " + found.group()))
                .toList();
    }

    private static boolean isPublished(SourceFile source) {
        return !TOOLS.contains(source.module())
                && !Repository.read(Repository.module(source.module()).resolve("pom.xml"))
                        .contains("<maven.deploy.skip>true");
    }

    // --- no import points up

    @Test
    void no_import_points_up() {
        assertThat(circles(SOURCES)).isEmpty();
    }

    @Test
    void a_link_of_javadoc_that_points_up_would_be_found() {
        assertThat(circles(List.of(
                        source("core", "dev/seriatim/a/A.java", "import dev.seriatim.b.B;\n"),
                        source("core", "dev/seriatim/b/B.java", "/** See {@link dev.seriatim.a.A}. */\n"))))
                .hasSize(1);
    }

    private static List<Set<String>> circles(List<SourceFile> sources) {
        Map<String, Set<String>> named = new TreeMap<>();
        sources.forEach(source -> named.computeIfAbsent(source.inPackage(), none -> new TreeSet<>())
                .addAll(source.named()));
        named.remove("");
        named.values().forEach(names -> names.retainAll(named.keySet()));
        return new Circles(named).largerThan(1);
    }

    // --- an interface has two implementers

    @Test
    void an_interface_has_two_implementers() {
        List<Path> built = Repository.modules().stream()
                .flatMap(module -> Stream.of("target/classes/dev", "target/test-classes/dev")
                        .map(module::resolve))
                .filter(Files::isDirectory)
                .toList();
        JavaClasses classes = new ClassFileImporter().importPaths(built);
        assertThat(classes).hasSizeGreaterThan(800);
        assertThat(withOneImplementer(new ClassFileImporter().importClasses(Lone.class, LoneClass.class)))
                .containsExactly(Lone.class.getName());
        assertThat(withOneImplementer(classes)).containsExactly(Lone.class.getName());
    }

    interface Lone {
        void first();

        void second();
    }

    private static final class LoneClass implements Lone {
        @Override
        public void first() {}

        @Override
        public void second() {}
    }

    /** Not those with one method, which lambdas implement, nor those of the package that users type. */
    private static List<String> withOneImplementer(JavaClasses classes) {
        Map<String, Set<String>> implementers = new HashMap<>();
        for (JavaClass type : classes) {
            if (!type.isInterface()) {
                type.getAllRawInterfaces()
                        .forEach(all -> implementers
                                .computeIfAbsent(all.getName(), none -> new HashSet<>())
                                .add(type.getName()));
            }
        }
        return classes.stream()
                .filter(type -> type.isInterface() && !type.isAnnotation() && abstractMethods(type) > 1)
                .filter(type -> type.getPackageName().startsWith("dev.seriatim."))
                .map(JavaClass::getName)
                .filter(name -> implementers.getOrDefault(name, Set.of()).size() == 1)
                .toList();
    }

    private static long abstractMethods(JavaClass type) {
        return type.getMethods().stream().filter(RulesTest::isAbstract).count();
    }

    private static boolean isAbstract(JavaMethod method) {
        return method.getModifiers().contains(JavaModifier.ABSTRACT);
    }

    // --- a file has two users or sixty lines

    @Test
    void few_files_are_small_and_have_one_user() {
        assertThat(smallWithOneUser(SOURCES)).hasSizeLessThanOrEqualTo(MOST_SMALL_FILES);
    }

    @Test
    void a_small_file_with_one_user_would_be_found() {
        SourceFile small = source("core", "dev/seriatim/Small.java", "final class Small {}\n");
        SourceFile user = source("core", "dev/seriatim/User.java", "final class User { Small one; }\n");
        assertThat(smallWithOneUser(List.of(small, user))).containsExactly("Small");
    }

    private static List<String> smallWithOneUser(List<SourceFile> sources) {
        Map<String, Long> users = sources.stream()
                .flatMap(source -> source.types().stream().filter(type -> !type.equals(source.type())))
                .collect(Collectors.groupingBy(type -> type, Collectors.counting()));
        return sources.stream()
                .filter(source -> source.lines() < SMALL && !source.type().endsWith("-info"))
                .map(SourceFile::type)
                .filter(type -> users.getOrDefault(type, 0L) == 1)
                .sorted()
                .toList();
    }

    // --- few lines are sentences

    @Test
    void few_lines_of_a_module_are_sentences() {
        Map<String, List<SourceFile>> modules = SOURCES.stream().collect(Collectors.groupingBy(SourceFile::module));
        modules.forEach((module, sources) ->
                assertThat(shareOfSentences(sources)).as(module).isLessThanOrEqualTo(MOST_SENTENCES));
    }

    @Test
    void too_many_sentences_would_be_found() {
        String code = "int a;\n".repeat(30) + "String s = \"this is one sentence here\";\n";
        assertThat(shareOfSentences(List.of(source("core", "A.java", code)))).isGreaterThan(MOST_SENTENCES);
    }

    private static double shareOfSentences(List<SourceFile> sources) {
        double sentences = sources.stream().mapToLong(SourceFile::sentences).sum();
        return sentences / sources.stream().mapToLong(SourceFile::code).sum();
    }

    // --- standard words

    @Test
    void comments_and_texts_use_standard_words() {
        List<String> odd = SOURCES.stream()
                .flatMap(source -> source.odd().stream().map(word -> source.type() + ": " + word))
                .toList();
        assertThat(odd).isEmpty();
        List<String> inPages = Fence.pages().stream()
                .flatMap(page -> SourceFile.odd(Repository.read(page)).stream().map(word -> page + ": " + word))
                .toList();
        assertThat(inPages).hasSizeLessThanOrEqualTo(MOST_ODD_WORDS_OF_PAGES);
    }

    @Test
    void an_odd_word_would_be_found() {
        assertThat(source("core", "A.java", "/* values in hand */ String told = \"so many\";")
                        .odd())
                .containsExactly("in hand", "so many");
    }

    // --- a package's last name is its own

    @Test
    void the_last_name_of_a_package_is_its_own() {
        assertThat(lastNamesTwice(SOURCES)).isEmpty();
    }

    @Test
    void a_last_name_that_stands_twice_would_be_found() {
        assertThat(lastNamesTwice(List.of(
                        source("core", "dev/seriatim/store/A.java", ""),
                        source("cli", "dev/seriatim/cli/store/B.java", ""))))
                .containsExactly("store");
    }

    private static List<String> lastNamesTwice(List<SourceFile> sources) {
        return sources.stream()
                .map(SourceFile::inPackage)
                .distinct()
                .collect(Collectors.groupingBy(
                        name -> name.substring(name.lastIndexOf('.') + 1), TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .filter(name -> name.getValue() > 1)
                .map(Map.Entry::getKey)
                .toList();
    }

    // --- a port is narrow

    /** The catalog administers sequences and a layout describes rows; nothing draws through them. */
    @Test
    void a_port_has_at_most_five_methods() {
        List<JavaClass> ports = new ClassFileImporter()
                .importPath(Repository.module("core").resolve("target/classes/dev/seriatim/store")).stream()
                        .filter(JavaClass::isInterface)
                        .filter(port -> !Set.of("SequenceCatalog", "Layout").contains(port.getSimpleName()))
                        .toList();
        assertThat(ports).hasSizeGreaterThan(8);
        assertThat(ports)
                .allSatisfy(port -> assertThat(abstractMethods(port))
                        .as(port.getName())
                        .isLessThanOrEqualTo(MOST_METHODS_OF_A_PORT));
        assertThat(abstractMethods(new ClassFileImporter().importClass(Map.class)))
                .isGreaterThan(MOST_METHODS_OF_A_PORT);
    }

    // --- pages are short

    @Test
    void every_page_keeps_to_its_words() {
        Map<String, Integer> budgets = Map.of("README.md", 1_100, "ARCHITECTURE.md", 1_200, "CONTRIBUTING.md", 900);
        budgets.forEach((page, words) ->
                assertThat(words(Repository.read(page))).as(page).isLessThanOrEqualTo(words));
        assertThat(decisions())
                .hasSizeGreaterThan(10)
                .allSatisfy(page -> assertThat(words(Repository.read(page)))
                        .as(page.toString())
                        .isLessThanOrEqualTo(250));
        List<Path> all = new ArrayList<>(Fence.pages());
        all.addAll(decisions());
        all.addAll(Stream.of("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
                .map(Repository.ROOT::resolve)
                .toList());
        assertThat(all.stream()
                        .distinct()
                        .mapToInt(page -> words(Repository.read(page)))
                        .sum())
                .isLessThanOrEqualTo(MOST_WORDS);
        assertThat(words("two words")).isEqualTo(2);
    }

    private static List<Path> decisions() {
        return Stream.of(Repository.ROOT.resolve("docs/decisions").toFile().listFiles())
                .map(java.io.File::toPath)
                .toList();
    }

    private static int words(String page) {
        return page.strip().split("\\s+").length;
    }

    private static SourceFile source(String module, String path, String text) {
        return new SourceFile(Path.of("/" + module + "/src/main/java/" + path), module, text);
    }
}
