// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compares numbers from large blocks with UUIDs, which need no coordination. */
final class TimesInWords {

    private static final long LARGE = 65536;

    private TimesInWords() {}

    /** Returns a sentence on all experiments, and one on those in which UUIDs are faster. */
    static List<String> of(List<Experiment> experiments) {
        List<String> times = new ArrayList<>();
        List<String> slower = new ArrayList<>();
        for (Experiment experiment : experiments) {
            Optional<Figures> cached = experiment.runs().stream()
                    .filter(run -> run.mode().equals("BATCH") && isLarge(run.batchSize()) && timed(run))
                    .findFirst();
            Optional<Figures> uuid = experiment.find("UUID").filter(TimesInWords::timed);
            if (cached.isPresent() && uuid.isPresent()) {
                double ratio = cached.get().totalMs() / uuid.get().totalMs();
                times.add(
                        NumberFormats.ratio(ratio) + " for " + experiment.name() + published(cached.get(), uuid.get()));
                if (ratio >= 1.005) {
                    slower.add(experiment.name());
                }
            }
        }
        if (times.isEmpty()) {
            return List.of();
        }
        String all = "Time of numbers from blocks of 65536 over that of UUID: " + String.join(", ", times) + ".";
        return slower.isEmpty() ? List.of(all) : List.of(all, "UUID is faster for " + String.join(", ", slower) + ".");
    }

    private static boolean isLarge(@Nullable Long size) {
        return size != null && size == LARGE;
    }

    private static boolean timed(Figures run) {
        return run.totalMs() > 0;
    }

    private static String published(Figures cached, Figures uuid) {
        Optional<Double> ours = published(cached);
        Optional<Double> theirs = published(uuid);
        return ours.isEmpty() || theirs.isEmpty()
                ? ""
                : " (published: " + NumberFormats.ratio(ours.get() / theirs.get()) + ")";
    }

    private static Optional<Double> published(Figures run) {
        return Optional.ofNullable(run.published()).map(Published::totalMs).filter(total -> total > 0);
    }
}
