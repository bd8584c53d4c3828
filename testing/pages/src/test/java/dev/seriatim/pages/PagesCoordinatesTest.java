// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.pages.Fence;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The artefacts that the pages name are those of the build. */
class PagesCoordinatesTest {

    private static final Pattern DEPENDENCY =
            Pattern.compile("<groupId>(.*?)</groupId>\\s*<artifactId>(.*?)</artifactId>\\s*<version>(.*?)</version>");
    private static final Pattern NAMED = Pattern.compile("`(?:dev\\.seriatim:)?seriatim-([\\w-]+)`");

    @Test
    void a_dependency_names_a_module_and_its_version() {
        Matcher parent = DEPENDENCY.matcher(Repository.read("pom.xml"));
        assertThat(parent.find()).isTrue();
        for (Fence fence : Fence.of("xml")) {
            Matcher dependency = DEPENDENCY.matcher(fence.text());
            assertThat(dependency.find()).as(fence.toString()).isTrue();
            assertThat(dependency.group(1)).isEqualTo(parent.group(1));
            assertThat(dependency.group(3)).isEqualTo(parent.group(3));
            assertModule(dependency.group(2).replace("seriatim-", ""));
        }
    }

    @Test
    void every_artefact_in_a_sentence_is_a_module() {
        List<String> named = Fence.pages().stream()
                .flatMap(page -> NAMED.matcher(Repository.read(page)).results())
                .map(artefact -> artefact.group(1))
                .distinct()
                .toList();
        assertThat(named).contains("spanner", "couchbase", "bom");
        named.forEach(PagesCoordinatesTest::assertModule);
    }

    private static void assertModule(String name) {
        assertThat(Repository.read(Repository.module(name).resolve("pom.xml")))
                .contains("<artifactId>seriatim-" + name + "</artifactId>");
    }
}
