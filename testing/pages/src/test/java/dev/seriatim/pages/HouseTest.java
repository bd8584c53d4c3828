// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SliceRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.pages.circle.Left;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The arrows of ARCHITECTURE.md, held to the bytecode of every module. */
class HouseTest {

    private static final int MOST_FILES_IN_A_PACKAGE = 45;
    private static final int MOST_FILES_IN_A_CIRCLE = 5;

    private static final Set<String> STORES = Set.of(
            "dev.seriatim.memory.InMemoryStore",
            "dev.seriatim.jdbc.JdbcStore",
            "dev.seriatim.jdbc.NativeSequences",
            "dev.seriatim.spanner.SpannerStore",
            "dev.seriatim.spanner.SpannerNativeStore",
            "dev.seriatim.couchbase.CouchbaseStore");

    /** Tools and feeds have tables of their own, which only SQL databases have. */
    private static final Pattern IN_SQL = Pattern.compile(
            "dev\\.seriatim\\.(bench|feed|verify|cli\\.option\\.EngineSql).* dev\\.seriatim\\.jdbc\\.JdbcStore");

    private static final String LIST_OF_MODES = "dev.seriatim.cli.draw.DrawMode";

    private static final List<String> MODULES = List.of(
            "core",
            "testkit",
            "servers",
            "jdbc",
            "feeds",
            "cli",
            "report",
            "check",
            "bench",
            "verify",
            "doctor",
            "spanner",
            "couchbase");

    private static final Map<String, JavaClasses> READ = new ConcurrentHashMap<>();

    private static final SliceRule NO_CIRCLE_BETWEEN_PACKAGES =
            SlicesRuleDefinition.slices().assignedFrom(new Packages()).should().beFreeOfCycles();

    /** What other modules may name of the engine. */
    private static final Set<String> DOORS = Set.of(
            "dev.seriatim.engine.StoreSequences",
            "dev.seriatim.engine.StoreSequences$Builder",
            "dev.seriatim.engine.TransactionalSequences");

    static List<String> modules() {
        return MODULES;
    }

    @ParameterizedTest
    @MethodSource("modules")
    void no_circle_between_packages_and_no_large_one_inside(String module) {
        JavaClasses classes = classes(module);
        NO_CIRCLE_BETWEEN_PACKAGES.check(classes);
        assertThat(largeCircles(classes)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void no_package_holds_more_files_than_one_can_look_through(String module) {
        assertThat(crowded(module)).isEmpty();
    }

    /** A module's own packages, those of modules below it, and of libraries that it is there for. */
    @ParameterizedTest
    @CsvSource(delimiter = ':', textBlock = """
                    core      : dev.seriatim (engine|internal|memory|number|store|striped) org.crac
                    testkit   : dev.seriatim (engine|store|testkit) org.junit org.assertj org.opentest4j
                    servers   : dev.seriatim.servers javax.sql org.junit org.opentest4j org.tukaani org.h2 org.testcontainers
                    jdbc      : dev.seriatim (engine|jdbc|number|store) javax.sql org.sqlite com.zaxxer
                    feeds     : dev.seriatim (feed|jdbc|store) javax.sql
                    cli       : dev.seriatim (cli|engine|jdbc|number|store|striped) picocli com.google.gson com.zaxxer.hikari javax.sql org.slf4j org.sqlite
                    report    : dev.seriatim (cli|report) com.google.gson
                    check     : dev.seriatim (check) org.roaringbitmap
                    bench     : dev.seriatim (bench|check|cli|engine|feed|jdbc|memory|number|report|store|striped) picocli com.google.gson com.github.f4b6a3 javax.sql org.HdrHistogram
                    verify    : dev.seriatim (check|cli|engine|feed|jdbc|memory|number|report|store|striped|verify) picocli com.google.gson javax.sql
                    doctor    : dev.seriatim (cli|doctor|jdbc|report|store) picocli com.google.gson javax.sql
                    spanner   : dev.seriatim (engine|number|spanner|store) com.google
                    couchbase : dev.seriatim (couchbase|store) com.couchbase reactor.core
                    micrometer : dev.seriatim (micrometer|store) io.micrometer
                    mybatis-plus : dev.seriatim (mybatisplus) com.baomidou
                    """)
    void modules_name_what_is_below_them(String module, String named) {
        checkNamed(module, named);
    }

    @Test
    void a_library_that_a_module_is_not_there_for_would_be_found() {
        assertThatThrownBy(() -> checkNamed("core", "dev.seriatim (engine|memory|number|store|striped)"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("dev.seriatim.internal.");
    }

    private static void checkNamed(String module, String named) {
        List<String> allowed = new ArrayList<>(List.of("", "java..", "org.jspecify.."));
        for (String name : named.split(" ", -1)) {
            if (name.startsWith("(")) {
                for (String room : name.substring(1, name.length() - 1).split("\\|", -1)) {
                    allowed.add("dev.seriatim." + room + "..");
                }
            } else {
                allowed.add(name.equals("dev.seriatim") ? name : name + "..");
            }
        }
        ArchRuleDefinition.classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed.toArray(new String[0]))
                .check(classes(module));
    }

    @Test
    void packages_of_the_core_name_only_those_below_them_in_the_table() {
        List<String> table = tableOfTheCore();
        List<String> wrong = new ArrayList<>();
        for (JavaClass from : classes("core")) {
            from.getDirectDependenciesFromSelf().forEach(dependency -> {
                String target = dependency.getTargetClass().getPackageName();
                if (target.startsWith("dev.seriatim") && row(table, target) < row(table, from.getPackageName())) {
                    wrong.add(dependency.getDescription());
                }
            });
        }
        assertThat(wrong).isEmpty();
        assertThat(row(table, "dev.seriatim.engine.line")).isEqualTo(row(table, "dev.seriatim.engine"));
        assertThat(row(table, "dev.seriatim.engine")).isLessThan(row(table, "dev.seriatim"));
    }

    @Test
    void two_files_never_share_a_name() {
        Map<String, List<Path>> files = new TreeMap<>();
        for (String module : List.of(
                "core",
                "testkit",
                "servers",
                "jdbc",
                "feeds",
                "cli",
                "report",
                "check",
                "bench",
                "verify",
                "doctor",
                "spanner",
                "couchbase",
                "pages",
                "benchmarks")) {
            for (Path source : Repository.sources(Repository.module(module).resolve("src"))) {
                files.computeIfAbsent(String.valueOf(source.getFileName()), none -> new ArrayList<>())
                        .add(source);
            }
        }
        files.keySet().removeAll(Set.of("package-info.java", "module-info.java"));
        assertThat(files).hasSizeGreaterThan(500);
        assertThat(files.values()).allSatisfy(places -> assertThat(places).hasSize(1));
    }

    /** The build runs classes whose names end with Test; not abstract ones, nor those inside them. */
    @Test
    void every_class_that_is_called_a_test_is_run() {
        Pattern unrun = Pattern.compile("^(?:public )?abstract class \\w+Test\\b", Pattern.MULTILINE);
        assertThat(unrun.matcher("\nabstract class LostTest {").find()).isTrue();
        List<Path> sources = Repository.modules().stream()
                .map(module -> module.resolve("src/test/java"))
                .filter(Files::isDirectory)
                .flatMap(folder -> Repository.sources(folder).stream())
                .toList();
        assertThat(sources).hasSizeGreaterThan(300);
        assertThat(sources)
                .allSatisfy(source -> assertThat(
                                unrun.matcher(Repository.read(source)).find())
                        .as(source.toString())
                        .isFalse());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "testkit",
                "jdbc",
                "feeds",
                "cli",
                "report",
                "check",
                "bench",
                "verify",
                "doctor",
                "spanner",
                "couchbase"
            })
    void other_modules_name_nothing_that_the_core_keeps_to_itself_and_of_its_engine_the_doors(String module) {
        ArchRuleDefinition.noClasses()
                .should()
                .dependOnClassesThat(new DescribedPredicate<>("are the core's own") {
                    @Override
                    public boolean test(JavaClass target) {
                        return isTheCoresOwn(target);
                    }
                })
                .check(classes(module));
    }

    /** Each is named by the list that detection goes through, and SQLite's by the driver of its own URLs. */
    @ParameterizedTest
    @CsvSource({
        "postgres, Dialects",
        "mysql, Dialects",
        "h2, Dialects",
        "cloudspanner, Dialects",
        "sqlite, Dialects|SqliteDriver"
    })
    void an_engine_of_jdbc_is_named_in_one_place(String engine, String named) {
        String folder = "dev.seriatim.jdbc." + engine + "..";
        ArchRuleDefinition.noClasses()
                .that()
                .resideOutsideOfPackage(folder)
                .and()
                .haveNameNotMatching("dev\\.seriatim\\.jdbc\\.(" + named + ")(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(folder)
                .check(classes("jdbc"));
    }

    @Test
    void rooms_of_the_engine_are_entered_by_the_door_alone() {
        ArchRuleDefinition.noClasses()
                .that()
                .resideOutsideOfPackage("dev.seriatim.engine..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.seriatim.engine.(**)")
                .check(classes("core"));
    }

    /** Otherwise another store with the same capability would be refused. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "core",
                "testkit",
                "jdbc",
                "feeds",
                "cli",
                "report",
                "check",
                "bench",
                "verify",
                "doctor",
                "spanner",
                "couchbase"
            })
    void a_store_of_another_module_is_known_by_its_capabilities(String module) {
        assertThat(checksForStores(classes(module))).isEmpty();
    }

    @Test
    void a_check_for_a_store_of_another_module_would_be_found() {
        assertThat(checksForStores(new ClassFileImporter().importClasses(Nosy.class)))
                .hasSize(1);
    }

    private static final class Nosy {
        private Nosy() {}

        @SuppressWarnings("unused") // read as bytecode
        static boolean asks(Object store) {
            return store instanceof JdbcStore;
        }
    }

    private static List<String> checksForStores(JavaClasses classes) {
        return classes.stream()
                .flatMap(type -> type.getInstanceofChecks().stream())
                .filter(check -> STORES.contains(check.getRawType().getName()))
                .filter(check -> !classes.contain(check.getRawType().getName()))
                .filter(check -> !IN_SQL.matcher(check.getOwner().getOwner().getName() + " "
                                + check.getRawType().getName())
                        .matches())
                .map(check -> check.toString())
                .toList();
    }

    @Test
    void a_mode_is_listed_once() {
        assertThat(modes()).hasSizeGreaterThan(5).contains("ASYNC_BATCH");
        List<String> lists = new ArrayList<>();
        for (String module : List.of(
                "core",
                "testkit",
                "jdbc",
                "cli",
                "report",
                "check",
                "bench",
                "verify",
                "doctor",
                "spanner",
                "couchbase")) {
            lists.addAll(listsOfModes(classes(module)));
        }
        assertThat(lists).containsExactly(LIST_OF_MODES);
    }

    @Test
    void a_second_list_of_modes_would_be_found() {
        assertThat(listsOfModes(new ClassFileImporter().importClasses(SecondList.class)))
                .containsExactly(SecondList.class.getName());
    }

    private enum SecondList {
        SYNC,
        COMBINED
    }

    /** The enums with two or more constants named like modes. */
    private static List<String> listsOfModes(JavaClasses classes) {
        Set<String> modes = modes();
        return classes.stream()
                .filter(JavaClass::isEnum)
                .filter(type -> constants(type).stream().filter(modes::contains).count() > 1)
                .map(JavaClass::getName)
                .toList();
    }

    private static Set<String> modes() {
        return constants(classes("cli").get(LIST_OF_MODES));
    }

    private static Set<String> constants(JavaClass type) {
        return type.getFields().stream()
                .filter(field -> field.getRawType().equals(type))
                .map(JavaField::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void a_circle_between_packages_would_be_found() {
        JavaClasses circle = new ClassFileImporter().importPackagesOf(Left.class);
        assertThatThrownBy(() -> NO_CIRCLE_BETWEEN_PACKAGES.check(circle))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Cycle detected");
    }

    @Test
    void a_large_circle_inside_a_package_would_be_found() {
        Map<String, Set<String>> ring = new TreeMap<>();
        for (int i = 0; i <= MOST_FILES_IN_A_CIRCLE; i++) {
            ring.put("p.T" + i, Set.of("p.T" + (i + 1) % (MOST_FILES_IN_A_CIRCLE + 1)));
        }
        assertThat(new Circles(ring).largerThan(MOST_FILES_IN_A_CIRCLE)).hasSize(1);
        assertThat(new Circles(ring).largerThan(MOST_FILES_IN_A_CIRCLE + 1)).isEmpty();
    }

    private static boolean isTheCoresOwn(JavaClass target) {
        String name = target.getName();
        return name.startsWith("dev.seriatim.internal.")
                || (name.startsWith("dev.seriatim.engine.")
                        && !name.startsWith("dev.seriatim.engine.sizing.")
                        && !DOORS.contains(name));
    }

    /** The packages that ARCHITECTURE.md lists, in its order. */
    private static List<String> tableOfTheCore() {
        List<String> packages = new ArrayList<>();
        Matcher rows = Pattern.compile("^\\| `(dev\\.seriatim[.a-z]*)` \\|", Pattern.MULTILINE)
                .matcher(Repository.read("ARCHITECTURE.md"));
        while (rows.find()) {
            packages.add(rows.group(1));
        }
        return packages;
    }

    /** The row of a package, or of the one that it is a room of. */
    private static int row(List<String> table, String name) {
        for (String above = name; above.contains("."); above = above.substring(0, above.lastIndexOf('.'))) {
            if (table.contains(above) && (above.equals(name) || !above.equals("dev.seriatim"))) {
                return table.indexOf(above);
            }
        }
        throw new AssertionError("ARCHITECTURE.md does not list the package " + name);
    }

    private static JavaClasses classes(String module) {
        return READ.computeIfAbsent(module, HouseTest::read);
    }

    private static JavaClasses read(String module) {
        Path built = Repository.module(module).resolve("target/classes");
        assertThat(built).isDirectory();
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPath(built);
        assertThat(classes).isNotEmpty();
        return classes;
    }

    private static List<Set<String>> largeCircles(JavaClasses classes) {
        Map<String, Set<String>> files = new TreeMap<>();
        for (JavaClass from : classes) {
            Set<String> named = files.computeIfAbsent(file(from), none -> new TreeSet<>());
            from.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> dependency.getTargetClass())
                    .filter(target -> target.getPackageName().equals(from.getPackageName()))
                    .map(HouseTest::file)
                    .forEach(named::add);
        }
        return new Circles(files).largerThan(MOST_FILES_IN_A_CIRCLE);
    }

    private static String file(JavaClass type) {
        String name = type.getName();
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    private static Map<Path, Long> crowded(String module) {
        return Repository.sources(Repository.module(module).resolve("src/main/java")).stream()
                .filter(Files::isRegularFile)
                .collect(Collectors.groupingBy(Path::getParent, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .filter(folder -> folder.getValue() > MOST_FILES_IN_A_PACKAGE)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** A slice for each package. */
    private static final class Packages implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return type.getPackageName().startsWith("dev.seriatim")
                    ? SliceIdentifier.of(type.getPackageName())
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    }
}
