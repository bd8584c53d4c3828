// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seriatim.servers.ProgramRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The code that runs the pages detects faults in them. */
class FencesTest {

    @TempDir
    private Path folder;

    @Test
    void a_place_that_nothing_stands_for_is_an_error() {
        Fence fence = fence("sh", "./seriatim list --store 'jdbc:oracle://HOST/DATABASE?user=USER&password=PASSWORD'");
        Exception e = assertThrows(IllegalArgumentException.class, () -> fence.with(Map.of("URL", "x")));
        assertTrue(String.valueOf(e.getMessage()).contains("a.md, line 1"), e.getMessage());
        assertThrows(IllegalArgumentException.class, () -> new ReadersDatabases().in(fence));
    }

    @Test
    void a_kind_that_no_page_has_is_an_error() {
        assertThrows(IllegalArgumentException.class, () -> Fence.of("no such kind"));
    }

    @Test
    void a_program_that_does_not_compile_or_throws_is_an_error() {
        assertThrows(
                IllegalArgumentException.class,
                () -> FencedProgram.compile(fence("java", "System.out.println(x);"), folder));
        FencedProgram throwing = FencedProgram.compile(fence("java", "throw new Exception(\"no\");"), folder);
        Exception e = assertThrows(IllegalStateException.class, () -> throwing.run(Map.of()));
        assertTrue(String.valueOf(e.getMessage()).contains("java.lang.Exception: no"), e.getMessage());
    }

    @Test
    void a_program_is_a_class_or_the_body_of_a_main() {
        FencedProgram body = FencedProgram.compile(
                fence("java", "import java.util.List;\n\nSystem.out.println(List.of(1, 2).size());   // 2\n"), folder);
        assertEquals(List.of("2"), body.expected());
        assertEquals(List.of("2"), body.run(Map.of()));
        FencedProgram whole = FencedProgram.compile(
                fence(
                        "java",
                        "public class Three {\n  public static void main(String[] a) {\n    System.out.println(3); // 3\n  }\n}\n"),
                folder);
        assertEquals(List.of("3"), whole.run(Map.of()));
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void commands_end_at_the_first_that_fails() {
        ProgramRun run =
                FencedCommands.of(fence("sh", "echo one\nfalse\necho two\n")).run(folder, Map.of());
        assertNotEquals(0, run.code());
        assertEquals("one\n", run.out());
    }

    @Test
    void what_measures_is_cut_down_and_nothing_else() {
        assertEquals(
                "./seriatim bench --warmup 0 --mode SYNC --iterations 20\n./seriatim bench compare a b\n./seriatim next x -n 9\n",
                FencedCommands.of(
                                fence(
                                        "sh",
                                        "./seriatim bench --mode SYNC \\\n    --iterations 20000\n./seriatim bench compare a b\n./seriatim next x -n 9\n"))
                        .cutDown()
                        .script());
        assertEquals(
                "./seriatim bench --rate 4000/s --duration 100ms\n",
                FencedCommands.of(fence("sh", "./seriatim bench --rate 4000/s --duration 4s\n"))
                        .cutDown()
                        .script());
        assertEquals(
                "./seriatim bench --iterations 20 --duration 100ms --rounds 1 --threads 2 --scenario dsql\n",
                FencedCommands.of(fence("sh", "./seriatim bench --scenario dsql\n"))
                        .cutDown()
                        .script());
    }

    private static Fence fence(String kind, String text) {
        return new Fence("a.md", 1, kind, text);
    }
}
