// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.ProgramRun;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drivers that no file names, as in a fat jar, or below a container's class loader. */
class UnnamedDriversTest {

    @TempDir
    private Path folder;

    /** Draws from each URL and fails with the message of the first that cannot be opened. */
    public static final class Draw {
        private Draw() {}

        public static void main(String[] urls) {
            for (String url : urls) {
                try (OpenStore store = StoreDriver.open(url)) {
                    store.create(SequenceDefinition.of("a"));
                    store.reserve("a", 1);
                } catch (RuntimeException e) {
                    System.out.println(e.getMessage());
                }
            }
        }
    }

    /** The whole class path without the files that name services, in a loader that DriverManager has never seen. */
    private static final class FatJar extends URLClassLoader {

        FatJar(URL[] jars) {
            super(jars, ClassLoader.getPlatformClassLoader());
        }

        @Override
        public Enumeration<URL> findResources(String name) throws IOException {
            return name.startsWith("META-INF/services/") ? Collections.emptyEnumeration() : super.findResources(name);
        }
    }

    @Test
    void a_fat_jar_without_service_files_below_a_container_opens_every_store_and_names_what_is_missing()
            throws Exception {
        List<URL> jars = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            jars.add(Path.of(entry).toUri().toURL());
        }
        String[] urls = {
            "memory:",
            "sqlite:" + folder.resolve("a.db"),
            "jdbc:sqlite:" + folder.resolve("b.db"),
            Engine.POSTGRESQL.freshDatabase().url(),
            Engine.MARIADB.freshDatabase().url(),
            Engine.H2.freshDatabase().url()
        };
        try (FatJar jar = new FatJar(jars.toArray(URL[]::new))) {
            Class<?> store = jar.loadClass(StoreDriver.class.getName());
            for (String url : urls) {
                try (AutoCloseable open =
                        (AutoCloseable) store.getMethod("open", String.class).invoke(null, url)) {
                    assertThat(open.getClass().getClassLoader()).isSameAs(jar);
                }
            }
        }
    }

    @Test
    void a_library_of_sqlite_that_does_not_load_is_told_with_a_remedy_at_each_attempt() {
        String file = "sqlite:" + folder.resolve("a.db");
        String[] urls = {file, "jdbc:" + file, file, "jdbc:" + file};
        ProgramRun run = draw(folder + "/none", urls);
        assertThat(run.out().lines())
                .hasSize(urls.length)
                .allMatch(line -> line.contains("a.db cannot be opened: SQLite's native library does not load")
                        && line.endsWith("-Dorg.sqlite.tmpdir=FOLDER"));
        assertThat(draw(folder.toString(), file).out()).isEmpty();
    }

    private static ProgramRun draw(String temporary, String... urls) {
        List<String> words = new ArrayList<>(List.of(
                "-Djava.io.tmpdir=/none",
                "-Dorg.sqlite.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                Draw.class.getName()));
        words.addAll(List.of(urls));
        return ProgramRun.of(ProgramRun.java(words.toArray(String[]::new)));
    }
}
