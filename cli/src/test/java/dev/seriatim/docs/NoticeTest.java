// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The libraries that the command brings are named with their licenses, and the texts that are named are there. */
class NoticeTest {

    private static final Pattern DEPENDENCY = Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(.*?)</artifactId>");
    private static final Pattern TEXT = Pattern.compile("\\(([\\w.-]+\\.txt)\\)");

    private static final String NOTICE = Repository.read("cli/legal/NOTICE");

    @Test
    void every_library_beside_the_command_is_named() {
        List<String> libraries = DEPENDENCY
                .matcher(Repository.read("cli/pom.xml"))
                .results()
                .map(MatchResult::group)
                .filter(dependency -> !dependency.contains("<scope>test") && !dependency.contains("dev.seriatim"))
                .map(NoticeTest::artifact)
                .filter(artifact -> !artifact.equals("jspecify")) // annotations, in no jar of the command
                .toList();

        assertThat(libraries)
                .contains("h2", "mariadb-java-client")
                .allSatisfy(library -> assertThat(NOTICE).contains(library));
    }

    @Test
    void every_text_that_is_named_is_there() {
        List<String> texts =
                TEXT.matcher(NOTICE).results().map(text -> text.group(1)).toList();

        assertThat(texts)
                .contains("LGPL-2.1.txt", "MPL-2.0.txt")
                .allSatisfy(text -> assertThat(
                                Repository.ROOT.resolve("cli/legal/licenses").resolve(text))
                        .isNotEmptyFile());
    }

    private static String artifact(String dependency) {
        return ARTIFACT.matcher(dependency).results().findFirst().orElseThrow().group(1);
    }
}
