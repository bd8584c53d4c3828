// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.report;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What numbers out of large blocks cost beside UUIDs, which need no coordination. */
final class TimesInWords {

    private static final long LARGE = 65536;

    private TimesInWords() {}

    static List<String> of(Trial trial) {
        Optional<Figures> cached = trial.runs().stream()
                .filter(run -> run.mode().equals("BATCH") && isLarge(run.batchSize()))
                .findFirst();
        Optional<Figures> uuid = trial.find("UUID");
        if (cached.isEmpty() || uuid.isEmpty() || !timed(cached.get()) || !timed(uuid.get())) {
            return List.of();
        }
        double ratio = cached.get().totalMs() / uuid.get().totalMs();
        return List.of(SummaryInWords.begun(trial.experiment()) + ": "
                + Numbers.time(cached.get().totalMs()) + " with cache 65536 and "
                + Numbers.time(uuid.get().totalMs()) + " with UUID, " + Numbers.ratio(ratio) + " of its time"
                + (ratio >= 1.005 ? ", so UUID is the faster one" : "")
                + published(cached.get(), uuid.get()) + ".");
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
                : " (published: " + Numbers.ratio(ours.get() / theirs.get()) + ")";
    }

    private static Optional<Double> published(Figures run) {
        return Optional.ofNullable(run.published()).map(Published::totalMs).filter(total -> total > 0);
    }
}
