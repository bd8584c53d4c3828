// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Compares what callers stored in their transactions, and were told about them, with what is in the table. Thread-safe.
 */
final class TableAccount {

    /** What a caller was told about its transaction. */
    enum Told {
        NOTHING,
        COMMITTED,
        NOT_COMMITTED,
        UNKNOWN
    }

    /** A caller's transaction, or unit of work. Used only by its caller until all threads have ended. */
    static final class Attempt {
        private final long id;
        private final List<List<Long>> runs = new ArrayList<>();
        private Told told = Told.NOTHING;

        private Attempt(long id) {
            this.id = id;
        }

        /** Starts, or starts again. */
        void run() {
            runs.add(new ArrayList<>());
        }

        /** Returns the row in which it stores a number. */
        StoredRow row(long number) {
            last().add(number);
            return new StoredRow(id, runs.size(), number);
        }

        /** Returns how many numbers it stores. */
        int size() {
            return last().size();
        }

        /** Keeps only the first {@code size} numbers. */
        void back(int size) {
            last().subList(size, size()).clear();
        }

        void told(Told what) {
            told = what;
        }

        private List<Long> last() {
            return runs.get(runs.size() - 1);
        }

        private String fault(List<StoredRow> rows) {
            int run = rows.isEmpty() ? runs.size() : rows.get(0).run();
            List<Long> numbers = rows.stream().map(StoredRow::number).toList();
            boolean whole = rows.stream().allMatch(row -> row.run() == run)
                    && numbers.equals(runs.isEmpty() ? List.of() : runs.get(run - 1));
            boolean right = switch (told) {
                case NOTHING -> false;
                case COMMITTED -> whole && run == runs.size();
                case NOT_COMMITTED -> rows.isEmpty();
                case UNKNOWN -> rows.isEmpty() || whole;
            };
            return right
                    ? ""
                    : "attempt " + id + " was told " + told + " and drew " + runs + ", but the table has rows " + rows
                            + "; ";
        }
    }

    private final AtomicLong ids = new AtomicLong();
    private final Queue<Attempt> attempts = new ConcurrentLinkedQueue<>();

    public Attempt begin() {
        Attempt attempt = new Attempt(ids.incrementAndGet());
        attempts.add(attempt);
        return attempt;
    }

    int size() {
        return attempts.size();
    }

    /** Returns where rows and what callers were told disagree; empty if they agree. */
    String fault(List<StoredRow> kept) {
        Map<Long, List<StoredRow>> rows = new HashMap<>();
        kept.forEach(row ->
                rows.computeIfAbsent(row.attempt(), none -> new ArrayList<>()).add(row));
        StringBuilder faults = new StringBuilder();
        attempts.forEach(attempt -> {
            List<StoredRow> its = rows.remove(attempt.id);
            faults.append(attempt.fault(its == null ? List.of() : its));
        });
        return rows.isEmpty() ? faults.toString() : faults + "rows that no attempt stored: " + rows;
    }
}
