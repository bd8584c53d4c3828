// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages;

import static dev.seriatim.pages.CheckoutCopy.inPom;
import static dev.seriatim.pages.CheckoutCopy.succeeds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.ProgramRun;
import dev.seriatim.servers.pages.Fence;
import dev.seriatim.servers.pages.ReadersDatabases;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds and starts the applications of the recipes. The page has what a user writes; {@code src/test/recipes} has the
 * rest: a POM and what sells from several threads. The first run downloads the frameworks, below {@code target}.
 */
@DisabledOnOs(OS.WINDOWS)
@Tag("long")
class RecipesTest {

    private static final String SOURCES = "src/main/java/shop";
    private static final String RESOURCES = "src/main/resources/";
    private static final Path MODULE = Repository.module("pages");

    @TempDir
    private static Path folder;

    private static CheckoutCopy checkout;

    @BeforeAll
    static void install() throws IOException {
        checkout = CheckoutCopy.in(folder, MODULE.resolve("target/recipes"));
        checkout.maven(checkout.root(), "-Dquick", "install", "-pl", "integrations/hibernate", "-am");
    }

    @Test
    void quarkus() throws IOException {
        Path project = project("quarkus");
        ReadersDatabases database = new ReadersDatabases();
        write(project, RESOURCES + "application.properties", database.in(only(Fence.of("properties quarkus"))));
        write(project, SOURCES + "/Invoices.java", only(Fence.of("java quarkus")));
        build(project);

        assertThat(quarkus(project, "none").out()).contains("sequences are missing in", "'bill_id'");
        assertThat(succeeds(quarkus(project, "update")))
                .contains("320 bills, 320 ids, 320 tickets, 320 numbers to 320, 320 invoices to 320");
        assertThat(succeeds(quarkus(project, "validate")))
                .contains("640 bills, 640 ids, 640 tickets, 640 numbers to 640, 640 invoices to 640");
        assertThat(succeeds(quarkus(project, "drop-and-create")))
                .contains("320 bills, 320 ids, 320 tickets, 320 numbers to 320, 320 invoices to 960");
    }

    private static ProgramRun quarkus(Path project, String strategy) {
        return ProgramRun.of(ProgramRun.java(
                "-Dquarkus.hibernate-orm.schema-management.strategy=" + strategy,
                "-Dquarkus.datasource.jdbc.max-size=10",
                "-jar",
                project.resolve("target/quarkus-app/quarkus-run.jar").toString()));
    }

    @Test
    void micronaut() throws IOException {
        Path project = project("micronaut");
        String settings = "application.properties";
        Fence placeholders = new Fence(settings, 1, "properties", Files.readString(project.resolve(settings)));
        write(project, RESOURCES + settings, new ReadersDatabases().in(placeholders));
        write(project, SOURCES + "/Invoices.java", only(Fence.of("java micronaut")));
        build(project);

        assertThat(run(project, "shop.MicronautSales"))
                .contains("320 bills, 320 ids, 320 numbers to 320, 320 invoices to 320");
        assertThat(run(project, "shop.MicronautSales"))
                .contains("640 bills, 640 ids, 640 numbers to 640, 640 invoices to 640");
    }

    @Test
    void kotlin() throws IOException {
        Path project = project("kotlin");
        write(project, "src/main/kotlin/Main.kt", new ReadersDatabases().in(only(Fence.of("kotlin"))));
        build(project);

        assertThat(run(project, "MainKt").lines()).containsExactly("1", "1");
        assertThat(run(project, "MainKt").lines()).containsExactly("2", "2");
    }

    private static Path project(String recipe) throws IOException {
        Path project = folder.resolve(recipe);
        Path sources = Files.createDirectories(project.resolve(SOURCES));
        try (Stream<Path> files = Files.list(MODULE.resolve("src/test/recipes").resolve(recipe))) {
            for (Path file : files.toList()) {
                boolean java = file.toString().endsWith(".java");
                Files.copy(file, (java ? sources : project).resolve(file.getFileName()));
            }
        }
        return project;
    }

    private static void write(Path project, String file, Fence text) throws IOException {
        Path place = project.resolve(file);
        Files.createDirectories(place.getParent());
        Files.writeString(place, text.text());
    }

    private static Fence only(List<Fence> fences) {
        assertThat(fences).hasSize(1);
        return fences.get(0);
    }

    private static void build(Path project) {
        checkout.maven(
                project,
                "package",
                "org.apache.maven.plugins:maven-dependency-plugin:"
                        + inPom("maven-dependency-plugin</artifactId>\\s*<version>(.*?)<")
                        + ":copy-dependencies",
                "-DincludeScope=runtime",
                "-Dseriatim.version=" + inPom("<version>(.*?-SNAPSHOT)<"));
    }

    private static String run(Path project, String mainClass) {
        Path target = project.resolve("target");
        return succeeds(ProgramRun.of(ProgramRun.java(
                "-cp", target.resolve("classes") + File.pathSeparator + target.resolve("dependency/*"), mainClass)));
    }
}
