// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Which mode to use for which guarantee, where all modes ran the same experiment. */
final class GuaranteesInWords {

    /** A guarantee, how the source has it, and which runs keep it. */
    private record Guarantee(String words, String theirWay, String theirMode, Predicate<Figures> kept) {}

    private static final List<Guarantee> GUARANTEES = List.of(
            new Guarantee("Unique numbers", "asynchronous-batch", "ASYNC_BATCH", run -> true),
            new Guarantee("Ordered numbers", "own-transaction", "ASYNC", run -> run.orderViolations() != null),
            new Guarantee(
                    "Gapless and ordered numbers",
                    "in-transaction",
                    "SYNC",
                    run -> run.gaps() != null && run.orderViolations() != null),
            new Guarantee(
                    "Gapless numbers in parallel",
                    "in-transaction",
                    "SYNC",
                    run -> run.gaps() != null && run.orderViolations() == null));

    private GuaranteesInWords() {}

    /** A sentence per guarantee, at the most threads, and one about what fell behind. */
    static List<String> of(Trial trial) {
        List<String> said = new ArrayList<>();
        int threads = trial.mostThreads();
        Trial most = new Trial(trial.scenario(), trial.experiment(), trial.at(threads));
        for (Guarantee guarantee : GUARANTEES) {
            most.best(run -> !Peer.is(run)
                            && !Checks.broken(run)
                            && guarantee.kept().test(run))
                    .ifPresent(best -> said.add(sentence(most, guarantee, best)));
        }
        behind(trial).ifPresent(said::add);
        return said;
    }

    private static String sentence(Trial most, Guarantee guarantee, Figures best) {
        return guarantee.words() + " at " + Numbers.threeDigits(best.valuesPerSecond()) + "/s (" + best.mode() + ", "
                + Numbers.counted(best.threads(), "thread") + ")" + overPublished(most, guarantee, best) + ofLimit(best)
                + ".";
    }

    private static String overPublished(Trial most, Guarantee guarantee, Figures best) {
        return published(most.find(guarantee.theirMode()))
                .map(theirs -> {
                    double ratio = best.valuesPerSecond() / theirs;
                    String times =
                            ratio >= 1 ? Numbers.ratio(ratio) + " times" : "only " + Numbers.ratio(ratio) + " of";
                    return ", " + times + " the published " + guarantee.theirWay() + " figure";
                })
                .orElse("");
    }

    private static Optional<Double> published(Optional<Figures> run) {
        return run.map(Figures::published).map(Published::valuesPerSecond).filter(theirs -> theirs > 0);
    }

    private static String ofLimit(Figures best) {
        Double ratio = best.limitRatio();
        return ratio == null || !Double.isFinite(ratio) || ratio <= 0
                ? ""
                : ", and " + Numbers.ratio(ratio) + " of what is possible here";
    }

    private static Optional<String> behind(Trial trial) {
        List<String> behind = new ArrayList<>();
        for (Figures run : trial.runs()) {
            Double ratio = run.publishedRatio();
            if (ratio != null && ratio < 0.995) {
                behind.add(run.mode() + " at " + Numbers.counted(run.threads(), "thread") + " (" + Numbers.ratio(ratio)
                        + ")");
            }
        }
        return behind.isEmpty()
                ? Optional.empty()
                : Optional.of("Slower than what was published for the same mode: " + String.join(", ", behind) + ".");
    }

    /** Where arrivals are given, how long they wait is the question. */
    static List<String> ofArrivals(Trial trial) {
        return trial.runs().stream()
                .filter(run -> !Peer.is(run) && !Checks.broken(run) && run.errors() == 0)
                .min(Comparator.comparingDouble(Figures::p99Ms))
                .map(run -> {
                    Double rate = run.arrivalsPerSecond();
                    String arrivals = rate == null ? "" : "At " + Numbers.threeDigits(rate) + " arrivals/s ";
                    return arrivals + run.mode() + " serves 99 % within " + Numbers.time(run.p99Ms())
                            + ", and all within " + Numbers.time(run.maxMs()) + ".";
                })
                .map(List::of)
                .orElse(List.of());
    }
}
