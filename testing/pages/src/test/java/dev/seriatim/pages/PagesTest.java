// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.pages.Fence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** No program and no command of a page slips by: each is of a kind that a test runs. */
class PagesTest {

    private static final Pattern RUN = Pattern.compile("Fence\\.of\\(\\s*\"([^\"]+)\"");
    private static final Pattern COMMAND_IN_A_SENTENCE = Pattern.compile("`(?:\\./|java -|mvnw)[^`\n]* -[^`\n]*`");
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#]*)(?:#([^)]*))?\\)");

    @Test
    void every_kind_of_text_between_fences_is_run_by_a_test() {
        assertThat(unknown(Fence.all(), kindsThatAreRun())).isEmpty();
    }

    @Test
    void a_kind_that_nobody_runs_would_be_found() {
        List<Fence> fences = Fence.in("a.md", "# A\n```java\n1\n```\n\n```python\n2\n```\n```\n3\n```\n");
        assertThat(fences).hasSize(3);
        assertThat(unknown(fences, kindsThatAreRun())).containsExactly("a.md, line 6: 'python'", "a.md, line 9: ''");
    }

    @Test
    void every_fence_is_read() {
        for (Path page : Fence.pages()) {
            String text = Repository.read(page);
            long opened =
                    text.lines().filter(line -> line.strip().startsWith("```")).count();
            String name = Repository.ROOT.relativize(page).toString();
            assertThat(2L * Fence.in(name, text).size()).as(name).isEqualTo(opened);
        }
    }

    @Test
    void what_a_command_prints_stands_right_behind_it() {
        List<Fence> all = Fence.all();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).kind().equals("text")) {
                assertThat(isOutputOf(all.get(i), all.get(i - 1)))
                        .as(all.get(i).toString())
                        .isTrue();
            }
        }
    }

    static boolean isOutputOf(Fence output, Fence commands) {
        return output.kind().equals("text")
                && commands.kind().equals("sh")
                && commands.page().equals(output.page())
                && output.line() == commands.line() + commands.text().lines().count() + 2;
    }

    @Test
    void a_command_with_options_stands_between_fences_where_it_is_run() {
        for (Path page : Fence.pages()) {
            Matcher found = COMMAND_IN_A_SENTENCE.matcher(Repository.read(page));
            List<String> commands = new ArrayList<>();
            while (found.find()) {
                commands.add(found.group());
            }
            // How the command explains itself is seen by its own tests.
            commands.remove("`./seriatim COMMAND --help`");
            assertThat(commands).as(page.toString()).isEmpty();
        }
    }

    @Test
    void every_link_leads_somewhere() {
        for (Path page : Fence.pages()) {
            Matcher link = LINK.matcher(Repository.read(page));
            while (link.find()) {
                Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
                assertThat(target).as(page.toString()).exists();
                if (link.group(2) != null) {
                    assertThat(headings(Repository.read(target)))
                            .as(page + ": " + link.group())
                            .contains(link.group(2));
                }
            }
        }
    }

    /** Those for maintainers are linked from CONTRIBUTING.md. */
    @Test
    void every_page_is_linked_from_the_readme() {
        String readme = Repository.read("README.md");
        for (Path page : Fence.pages()) {
            String name = String.valueOf(page.getFileName());
            if (!Set.of("README.md", "mutation.md", "testing.md").contains(name)) {
                assertThat(readme).contains("(docs/" + name + ")");
            }
        }
    }

    @Test
    void the_readme_is_short_and_so_are_its_programs() {
        assertThat(Repository.read("README.md").lines().count()).isLessThanOrEqualTo(150);
        List<Fence> programs = Fence.of("java").stream()
                .filter(fence -> fence.page().equals("README.md"))
                .toList();
        assertThat(programs).hasSize(2);
        assertThat(programs)
                .allSatisfy(program -> assertThat(program.text().lines()).hasSizeLessThanOrEqualTo(20));
    }

    /** As GitHub names them. */
    private static List<String> headings(String markdown) {
        return markdown.lines()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }

    private static List<String> unknown(List<Fence> fences, Set<String> known) {
        return fences.stream()
                .filter(fence -> !known.contains(fence.kind()))
                .map(fence -> fence + ": '" + fence.kind() + "'")
                .toList();
    }

    /** What tests ask for, and the output of commands, which is compared with what they print. */
    private static Set<String> kindsThatAreRun() {
        Set<String> kinds = new TreeSet<>(Set.of("text"));
        for (Path module : Repository.modules()) {
            Path tests = module.resolve("src/test/java");
            if (Files.isDirectory(tests)) {
                for (Path source : Repository.sources(tests)) {
                    Matcher run = RUN.matcher(Repository.read(source));
                    while (run.find()) {
                        kinds.add(run.group(1));
                    }
                }
            }
        }
        return kinds;
    }
}
