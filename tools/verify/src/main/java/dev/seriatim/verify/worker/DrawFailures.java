// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreUrl;
import dev.seriatim.verify.worker.WorkerAccounts.FailedDraws;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Why draws failed: each reason once, with a count. Thread-safe. */
final class DrawFailures {

    /** Reasons may differ only in numbers. */
    private static final int MOST_REASONS = 50;

    private static final int LONGEST = 1_000;

    /** Faults of the caller's own statements while the store is unavailable. */
    private static final Set<Fault> UNAVAILABLE = Set.of(Fault.FULL, Fault.LOST, Fault.READ_ONLY);

    private final String url;
    private final OpenStore store;
    private final Consumer<FailedDraws> onLasting;

    /** The latest reason is the last, and the eldest is forgotten. */
    private final Map<String, FailedDraws> reasons = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, FailedDraws> eldest) {
            return size() > MOST_REASONS;
        }
    };

    /**
     * @param url its secrets are removed from the messages
     * @param onLasting receives each new reason that an unavailable server does not explain
     */
    DrawFailures(String url, OpenStore store, Consumer<FailedDraws> onLasting) {
        this.url = url;
        this.store = store;
        this.onLasting = onLasting;
    }

    /** Counts a failure, and returns its kind. */
    DrawRing.Kind add(String generator, Exception failure) {
        FailedDraws one = new FailedDraws(generator, text(url, failure), 1, isLasting(failure));
        FailedDraws all;
        synchronized (this) {
            all = reasons.merge(generator + ": " + one.reason(), one, FailedDraws::plus);
        }
        if (all.count() == 1 && all.lasting()) {
            onLasting.accept(all);
        }
        boolean isUnavailable = failure instanceof Unavailable
                || (failure instanceof SQLException e
                        && store instanceof JdbcStore database
                        && UNAVAILABLE.contains(database.dialect().fault(e)));
        return isUnavailable ? DrawRing.Kind.UNAVAILABLE : DrawRing.Kind.FAILED;
    }

    /** Returns all, the latest at the end. */
    synchronized List<FailedDraws> all() {
        return List.copyOf(reasons.values());
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
