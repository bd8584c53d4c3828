// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** What callers kept in their transactions and what they were told of them, beside what is there. Thread-safe. */
final class Account {

    /** What a caller was told. */
    enum Told {
        NOTHING,
        COMMITTED,
        NOT_COMMITTED,
        UNKNOWN
    }

    /** One caller's transaction, or unit of work. Its caller's, until all have come to rest. */
    static final class Attempt {
        private final long id;
        private final List<List<Long>> runs = new ArrayList<>();
        private Told told = Told.NOTHING;

        private Attempt(long id) {
            this.id = id;
        }

        /** It begins, or begins anew. */
        void run() {
            runs.add(new ArrayList<>());
        }

        /** The row in which it keeps a number. */
        Row row(long number) {
            last().add(number);
            return new Row(id, runs.size(), number);
        }

        /** How many numbers it keeps. */
        int size() {
            return last().size();
        }

        /** It keeps only the first so many. */
        void back(int size) {
            last().subList(size, size()).clear();
        }

        void told(Told what) {
            told = what;
        }

        private List<Long> last() {
            return runs.get(runs.size() - 1);
        }

        private String fault(List<Row> rows) {
            int run = rows.isEmpty() ? runs.size() : rows.get(0).run();
            List<Long> numbers = rows.stream().map(Row::number).toList();
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
                    : "attempt " + id + " was told " + told + " and drew " + runs + ", but rows " + rows
                            + " are there; ";
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

    /** Where rows and what callers were told do not agree; empty when they do everywhere. */
    String fault(List<Row> kept) {
        Map<Long, List<Row>> rows = new HashMap<>();
        kept.forEach(row ->
                rows.computeIfAbsent(row.attempt(), none -> new ArrayList<>()).add(row));
        StringBuilder faults = new StringBuilder();
        attempts.forEach(attempt -> {
            List<Row> its = rows.remove(attempt.id);
            faults.append(attempt.fault(its == null ? List.of() : its));
        });
        return rows.isEmpty() ? faults.toString() : faults + "nobody kept " + rows;
    }
}
