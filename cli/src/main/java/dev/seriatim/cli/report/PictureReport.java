// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.report;

import dev.seriatim.cli.plot.LinePlot;
import dev.seriatim.cli.plot.Picture;
import java.util.List;
import java.util.Optional;

/** The one picture of measurements that says most, as a file of its own. Thread-safe. */
public final class PictureReport {

    private PictureReport() {}

    /**
     * An SVG file that needs nothing else, and follows the reader's choice of light or dark: throughput over threads in the last
     * experiment that has it, such as 10 rows per transaction; else the first picture. Empty where there is nothing to be seen.
     */
    public static Optional<String> of(Measurements measurements) {
        Page page = new Page();
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
