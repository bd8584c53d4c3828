// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import dev.seriatim.SequenceException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
     * Returns the average of each of a few spells, in seconds and sorted; none if the store serves no two sessions to the
     * end.
     *
     * @param lone seconds that a single reservation takes; if that is long, fewer sessions reserve
     */
    static double[] of(Runnable reserve, double lone) {
        int sessions = (int) Math.max(FEWEST_SESSIONS, Math.min(MOST_SESSIONS, 4 * SPELL_NANOS / SECOND / lone));
        long enough = System.nanoTime() + SPELLS * SPELL_NANOS;
        ExecutorService threads = Executors.newFixedThreadPool(sessions);
        List<CompletableFuture<Session>> all = Stream.generate(
                        () -> CompletableFuture.supplyAsync(() -> session(reserve, enough), threads))
                .limit(sessions)
                .toList();
        threads.shutdown();
        List<Session> over = all.stream().map(CompletableFuture::join).toList();
        if (over.stream().filter(Session::served).count() < FEWEST_SESSIONS) {
            return new double[0];
        }
        long[] ended = over.stream()
                .flatMap(each -> each.ended.stream())
                .mapToLong(Long::longValue)
                .sorted()
                .toArray();
        int spell = Math.max(sessions, ended.length / SPELLS);
        return IntStream.iterate(0, from -> from + spell < ended.length, from -> from + spell)
                .mapToDouble(from -> (ended[from + spell] - ended[from]) / SECOND / spell)
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
