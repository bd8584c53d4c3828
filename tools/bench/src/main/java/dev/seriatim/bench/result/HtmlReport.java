// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.report.Page;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes measurements as an HTML page. Thread-safe. */
public final class HtmlReport {

    /** Maximum size of a page, in bytes. */
    public static final int LARGEST = 220_000;

    /** Maximum rows in all tables together; fewer if the page would become too large. */
    private static final List<Integer> ROWS = List.of(2000, 300, 100, 0);

    private HtmlReport() {}

    /**
     * Returns a self-contained page of at most {@value #LARGEST} bytes in UTF-8, without scripts or external resources. Its only
     * links go to publications. It has layouts for wide windows, for 360 pixels, for dark screens and for paper.
     */
    public static String of(Measurements measurements) {
        String page = "";
        for (int rows : ROWS) {
            page = page(measurements, rows);
            if (page.getBytes(StandardCharsets.UTF_8).length <= LARGEST) {
                return page;
            }
        }
        return page;
    }

    private static String page(Measurements measurements, int rows) {
        Page page = new Page("Seriatim on " + name(measurements));
        head(page, measurements);
        interruption(page, measurements);
        AnswerSection.write(measurements, page);
        Chapters.write(measurements, page, rows);
        leftOut(page, measurements);
        setting(page, measurements);
        return page.written();
    }

    private static void head(Page page, Measurements measurements) {
        page.raw("<header>").element("p class=\"kind\"", "Seriatim · benchmark of sequences");
        page.element("h1", name(measurements));
        List<String> facts = new ArrayList<>(List.of(date(measurements.measuredAt())));
        facts.add(measurements.cores() > 0 ? NumberFormats.counted(measurements.cores(), "core") : "");
        facts.add(measurements.jdk().isEmpty() ? "" : "Java " + measurements.jdk());
        facts.add(
                measurements.reservationMs() > 0
                        ? "a single reservation takes " + NumberFormats.time(measurements.reservationMs())
                        : "");
        facts.add(measurements.readMs() == null ? "" : "a read " + NumberFormats.time(measurements.readMs()));
        facts.removeIf(String::isEmpty);
        page.element("p class=\"facts\"", String.join(" · ", facts));
        page.raw("</header>\n");
    }

    /** Files of older versions do not name the engine. */
    private static String name(Measurements measurements) {
        return measurements.engine().isEmpty() ? measurements.store() : measurements.engine();
    }

    private static void interruption(Page page, Measurements measurements) {
        if (measurements.interrupted()) {
            page.element(
                    "p class=\"warning\"",
                    "Interrupted: " + NumberFormats.counted(measurements.runs().size(), "run")
                            + (measurements.runs().size() == 1 ? " was" : " were")
                            + " measured before it was stopped; more were planned.");
        }
    }

    private static void leftOut(Page page, Measurements measurements) {
        if (measurements.notOffered().isEmpty()) {
            return;
        }
        page.raw("<section>").element("h2", "Left out").raw("<ul>");
        Map<String, List<NotOffered>> reasons = measurements.notOffered().stream()
                .collect(Collectors.groupingBy(
                        left -> left.label() + ": " + left.reason(), LinkedHashMap::new, Collectors.toList()));
        reasons.keySet().stream().limit(40).forEach(reason -> page.element("li", reason));
        page.raw("</ul></section>\n");
    }

    private static void setting(Page page, Measurements measurements) {
        page.raw("<section>").element("h2", "Environment").raw("<dl>");
        fact(page, "Engine", measurements.engine());
        measurements.settings().forEach((name, value) -> fact(page, name, value));
        fact(page, "Store", measurements.store());
        fact(page, "Single reservation", NumberFormats.time(measurements.reservationMs()));
        fact(page, "Row held per reservation", time(measurements.rowMs()));
        fact(page, "Single read", time(measurements.readMs()));
        fact(page, "Java", measurements.jdk());
        fact(page, "Cores", String.valueOf(measurements.cores()));
        fact(page, "Measured", date(measurements.measuredAt()));
        page.raw("<dt>Command<dd><code>").text(measurements.command()).raw("</code></dl></section>\n");
    }

    private static String time(@Nullable Double millis) {
        return millis == null ? "" : NumberFormats.time(millis);
    }

    private static void fact(Page page, String name, String value) {
        if (!value.isEmpty()) {
            page.raw("<dt>").text(name).raw("<dd>").text(value);
        }
    }

    private static String date(String measuredAt) {
        try {
            return OffsetDateTime.parse(measuredAt)
                    .withOffsetSameInstant(ZoneOffset.UTC)
                    .format(DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm 'UTC'", Locale.ENGLISH));
        } catch (DateTimeException e) {
            return measuredAt;
        }
    }
}
