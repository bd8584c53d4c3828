// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class HtmlReportTest {

    private static final Path PAGES = Path.of("target/pages");

    @Test
    void every_page_stands_alone_and_is_small_enough() throws Exception {
        Files.createDirectories(PAGES);
        Samples.all().forEach((name, sample) -> {
            String page = HtmlReport.of(sample);
            try {
                Files.writeString(PAGES.resolve(name + ".html"), page);
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
            assertThat(page.getBytes(StandardCharsets.UTF_8)).as(name).hasSizeLessThanOrEqualTo(HtmlReport.LARGEST);
        });
    }
}
