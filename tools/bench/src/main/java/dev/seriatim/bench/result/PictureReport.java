// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.report.LinePlot;
import dev.seriatim.report.Page;
import dev.seriatim.report.Picture;
import java.util.List;
import java.util.Optional;

/** The report's main chart, as an SVG file. Thread-safe. */
public final class PictureReport {

    private PictureReport() {}

    /**
     * Returns a self-contained SVG file with light and dark colours: throughput over threads in the last published experiment that
     * has it, such as 10 rows per transaction, or in the last experiment; otherwise the first picture. Empty if there is none.
     */
    public static Optional<String> of(Measurements measurements) {
        List<Experiment> published = Experiment.of(measurements).stream()
                .filter(experiment -> experiment.runs().stream().anyMatch(run -> run.published() != null))
                .toList();
        List<Figures> runs = published.stream()
                .flatMap(experiment -> experiment.runs().stream())
                .toList();
        return picture(runs.isEmpty() ? measurements : measurements.with(runs));
    }

    private static Optional<String> picture(Measurements measurements) {
        Page page = new Page("");
        Chapters.write(measurements, page, 0);
        List<Picture> pictures = page.pictures();
        return pictures.stream()
                .filter(picture -> picture.plot() instanceof LinePlot lines
                        && !lines.upwards().startsWith("ratio"))
                .reduce((earlier, later) -> later)
                .or(() -> pictures.stream().findFirst())
                .map(Picture::asFile);
    }
}
