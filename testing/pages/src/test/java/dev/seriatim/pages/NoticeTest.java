// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The libraries that the command brings are named with their licenses, and the texts that are named are there. */
class NoticeTest {

    private static final Pattern DEPENDENCY = Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(.*?)</artifactId>");
    private static final Pattern TEXT = Pattern.compile("\\(([\\w.-]+\\.txt)\\)");

    @ParameterizedTest
    @CsvSource({"cli, h2, mariadb-java-client", "bench, HdrHistogram, uuid-creator"})
    void every_library_beside_a_jar_is_named(String module, String one, String another) {
        String notice = Repository.read(Repository.module(module).resolve("legal/NOTICE"));
        List<String> libraries = DEPENDENCY
                .matcher(Repository.read(Repository.module(module).resolve("pom.xml")))
                .results()
                .map(MatchResult::group)
                .filter(dependency -> !dependency.contains("<scope>test") && !dependency.contains("dev.seriatim"))
                .map(NoticeTest::artifact)
                .filter(artifact -> !artifact.equals("jspecify")) // annotations, in no jar of the command
                .toList();

        assertThat(libraries)
                .contains(one, another)
                .allSatisfy(library -> assertThat(notice).contains(library));
    }

    @ParameterizedTest
    @CsvSource({"cli, LGPL-2.1.txt|MPL-2.0.txt", "bench, MIT-uuid-creator.txt"})
    void every_text_that_is_named_is_there(String module, String some) {
        List<String> texts = TEXT.matcher(
                        Repository.read(Repository.module(module).resolve("legal/NOTICE")))
                .results()
                .map(text -> text.group(1))
                .toList();

        assertThat(texts)
                .contains(some.split("\\|", -1))
                .allSatisfy(text -> assertThat(Repository.module(module)
                                .resolve("legal/licenses")
                                .resolve(text))
                        .isNotEmptyFile());
    }

    private static String artifact(String dependency) {
        return ARTIFACT.matcher(dependency).results().findFirst().orElseThrow().group(1);
    }
}
