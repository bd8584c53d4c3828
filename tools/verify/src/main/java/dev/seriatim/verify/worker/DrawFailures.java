// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.store.StoreUrl;
import dev.seriatim.verify.worker.WorkerAccounts.FailedDraws;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Why draws failed: each reason once, with a count. Thread-safe. */
final class DrawFailures {

    /** Reasons may differ only in numbers. */
    private static final int MOST_REASONS = 50;

    private static final int LONGEST = 1_000;

    private record Reason(String generator, String text, boolean lasting) {}

    /** Faults of the caller's own statements while the store is unavailable. */
    private static final Set<Fault> UNAVAILABLE = Set.of(Fault.FULL, Fault.LOST, Fault.READ_ONLY);

    private final String url;
    private final Optional<Dialect> dialect;
    private final Consumer<FailedDraws> onLasting;

    /** The latest reason is the last. */
    private final Map<Reason, Long> counts = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * @param url its secrets are removed from the messages
     * @param dialect the database's; empty for other stores
     * @param onLasting receives each new reason that an unavailable server does not explain
     */
    DrawFailures(String url, Optional<Dialect> dialect, Consumer<FailedDraws> onLasting) {
        this.url = url;
        this.dialect = dialect;
        this.onLasting = onLasting;
    }

    /** Counts a failure, and returns its kind. */
    DrawRing.Kind add(String generator, Exception failure) {
        Reason reason = new Reason(generator, text(url, failure), isLasting(failure));
        boolean isNew;
        synchronized (this) {
            if (counts.size() >= MOST_REASONS && !counts.containsKey(reason)) {
                reason = new Reason(generator, FailedDraws.OTHERS, reason.lasting());
            }
            isNew = counts.merge(reason, 1L, Long::sum) == 1;
        }
        if (isNew && reason.lasting()) {
            onLasting.accept(new FailedDraws(generator, reason.text(), 1, true));
        }
        return isUnavailable(failure) ? DrawRing.Kind.UNAVAILABLE : DrawRing.Kind.FAILED;
    }

    private boolean isUnavailable(Exception failure) {
        return failure instanceof Unavailable
                || (failure instanceof SQLException e
                        && dialect.map(known -> UNAVAILABLE.contains(known.fault(e)))
                                .orElse(false));
    }

    /** Returns all, the latest at the end. */
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

    /** Returns whether an unavailable server does not explain a failure. Drivers may report anything for the caller's own statements. */
    private static boolean isLasting(Exception failure) {
        return !(failure instanceof Unavailable
                || failure instanceof Overloaded
                || failure instanceof CommitOutcomeUnknown
                || failure instanceof SQLException);
    }
}
