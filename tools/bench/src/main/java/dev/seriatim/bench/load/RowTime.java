// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import dev.seriatim.SequenceException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Measures how long a reservation holds its row: the time from one reservation to the next while several sessions reserve. The work
 * before the lock and after its release overlaps then; in some databases, so does the commit.
 */
final class RowTime {

    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

    /** The number of concurrent reservations of an ASYNC sequence. */
    private static final int MOST_SESSIONS = 16;

    private static final int FEWEST_SESSIONS = 2;
    private static final int MOST_OF_EACH = 20_000;
    private static final int SPELLS = 5;
    private static final long SPELL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private RowTime() {}

    /**
     * Returns the average of each of a few spells, in seconds and sorted; none if the store serves no two sessions at once.
     *
     * @param lone seconds that a single reservation takes; if that is long, fewer sessions reserve
     */
    static double[] of(Runnable reserve, double lone) {
        int sessions = (int) Math.max(FEWEST_SESSIONS, Math.min(MOST_SESSIONS, 4 * SPELL_NANOS / SECOND / lone));
        ExecutorService threads = Executors.newFixedThreadPool(sessions);
        try {
            long[] ended = ended(reserve, threads, sessions);
            int spell = Math.max(sessions, ended.length / SPELLS);
            List<Double> averages = new ArrayList<>();
            for (int from = 0; from + spell < ended.length; from += spell) {
                averages.add((ended[from + spell] - ended[from]) / SECOND / spell);
            }
            return averages.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        } finally {
            threads.shutdown();
        }
    }

    /** Returns the times at which reservations ended, in order; none if fewer than two sessions were served to the end. */
    private static long[] ended(Runnable reserve, ExecutorService threads, int sessions) {
        long enough = System.nanoTime() + SPELLS * SPELL_NANOS;
        List<CompletableFuture<Session>> all = new ArrayList<>();
        for (int i = 0; i < sessions; i++) {
            all.add(CompletableFuture.supplyAsync(() -> session(reserve, enough), threads));
        }
        List<Session> over = all.stream().map(CompletableFuture::join).toList();
        if (over.stream().filter(Session::served).count() < FEWEST_SESSIONS) {
            return new long[0];
        }
        return over.stream()
                .flatMap(each -> each.ended.stream())
                .mapToLong(Long::longValue)
                .sorted()
                .toArray();
    }

    /** The times at which the reservations of a session ended, and whether the store served it to the end. */
    private record Session(List<Long> ended, boolean served) {}

    private static Session session(Runnable reserve, long enough) {
        List<Long> ended = new ArrayList<>();
        try {
            do {
                reserve.run();
                ended.add(System.nanoTime());
            } while (ended.size() < MOST_OF_EACH && System.nanoTime() < enough);
        } catch (SequenceException conflict) {
            return new Session(ended, false); // some stores refuse sessions in excess
        }
        return new Session(ended, true);
    }
}
