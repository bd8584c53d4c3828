// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.verify.worker;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.lab.verify.worker.WorkerAccounts.FailedDraws;
import dev.seriatim.store.StoreUrl;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Why draws failed: each reason once, with a count. Thread-safe. */
final class DrawFailures {

    /** Reasons may differ in numbers only, without end. */
    private static final int MOST_REASONS = 50;

    private static final String OTHERS = "(other reasons)";
    private static final int LONGEST = 1_000;

    private record Reason(String generator, String text, boolean lasting) {}

    private final String url;
    private final Consumer<FailedDraws> onLasting;
    private final Map<Reason, Long> counts = new LinkedHashMap<>();

    /**
     * Creates an empty one.
     *
     * @param url its secrets are removed from what drivers say
     * @param onLasting told of each new reason that a server that is away does not explain
     */
    DrawFailures(String url, Consumer<FailedDraws> onLasting) {
        this.url = url;
        this.onLasting = onLasting;
    }

    void add(String generator, Exception failure) {
        Reason reason = new Reason(generator, text(url, failure), isLasting(failure));
        boolean isNew;
        synchronized (this) {
            if (counts.size() >= MOST_REASONS && !counts.containsKey(reason)) {
                reason = new Reason(generator, OTHERS, reason.lasting());
            }
            isNew = counts.merge(reason, 1L, Long::sum) == 1;
        }
        if (isNew && reason.lasting()) {
            onLasting.accept(new FailedDraws(generator, reason.text(), 1, true));
        }
    }

    synchronized List<FailedDraws> all() {
        List<FailedDraws> all = new ArrayList<>();
        counts.forEach((reason, count) ->
                all.add(new FailedDraws(reason.generator(), reason.text(), count, reason.lasting())));
        return all;
    }

    /** Returns a failure in one line, without secrets. */
    static String text(String url, Throwable failure) {
        String whole =
                (failure instanceof SequenceException ? "" : failure.getClass().getSimpleName() + ": ")
                        + failure.getMessage();
        String line = StoreUrl.scrub(url, whole).replaceAll("[\\s\\p{Cntrl}]+", " ");
        return line.length() > LONGEST ? line.substring(0, LONGEST) : line;
    }

    /** What a store may report while its server is away, and what a driver may report for the caller's own statements. */
    private static boolean isLasting(Exception failure) {
        return !(failure instanceof Unavailable
                || failure instanceof Overloaded
                || failure instanceof CommitOutcomeUnknown
                || failure instanceof SQLException);
    }
}
