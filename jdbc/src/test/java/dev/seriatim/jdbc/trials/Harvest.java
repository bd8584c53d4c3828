// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import dev.seriatim.Block;
import dev.seriatim.testkit.History;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The acknowledged and failed draws of all processes in one mode. Thread-safe. */
final class Harvest {

    /** A failed draw, with its times and the reason. */
    record Failure(long began, long ended, String reason) {}

    /**
     * What a store may report while its server is down, and what the driver may report for the caller's own
     * statements.
     */
    private static final Pattern TRANSIENT =
            Pattern.compile("[\\w.]*(SequenceException\\$(Unavailable|Overloaded|CommitOutcomeUnknown)|SQL\\w*Exception"
                    + "|PSQLException|CommunicationsException|JdbcSQL\\w+Exception|SQLiteException)\\b.*");

    private final TrialMode mode;
    private final History history = new History();
    private final NavigableSet<Long> values = new ConcurrentSkipListSet<>();
    private final AtomicLong count = new AtomicLong();
    private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();

    Harvest(TrialMode mode) {
        this.mode = mode;
    }

    void drew(long began, long ended, long value) {
        history.add(began, ended, new Block(value, 1, 1));
        values.add(value);
        count.incrementAndGet();
    }

    void failed(Failure failure) {
        failures.add(failure);
    }

    long count() {
        return count.get();
    }

    List<Failure> failures() {
        return List.copyOf(failures);
    }

    /** Returns why draws failed, each reason once. */
    Set<String> reasons() {
        return failures.stream().map(Failure::reason).collect(Collectors.toSet());
    }

    /** Returns failures that a temporarily stopped server does not explain: above all, that a sequence has stopped. */
    List<String> lastingFailures() {
        return reasons().stream()
                .filter(reason -> !TRANSIENT.matcher(reason).matches())
                .map(reason -> mode + ": " + reason)
                .toList();
    }

    /** Returns the problems with the values themselves; empty if there are none. */
    List<String> findings() {
        List<String> findings = new ArrayList<>();
        long repeated = history.duplicates();
        if (repeated > 0) {
            findings.add(mode + ": " + repeated + " of " + count + " values repeated");
        }
        long violations = mode.promises(TrialGuarantee.ORDERED) ? history.orderViolations(true) : 0;
        if (violations > 0) {
            findings.add(mode + ": " + violations + " of " + count + " values out of order");
        }
        findings.addAll(lastingFailures());
        return findings;
    }

    /** Returns the problems with the ledger of a gapless mode. */
    List<String> findings(StoredNumbers.State ledger) {
        List<String> findings = new ArrayList<>();
        NavigableSet<Long> all = new TreeSet<>(ledger.rows());
        all.addAll(ledger.laidOut());
        long first = all.isEmpty() ? 1 : all.first();
        long last = all.isEmpty() ? 0 : all.last();
        if (first != 1 || last != ledger.next() - 1 || all.size() != last) {
            findings.add("%s: not gapless: %d rows, with %d laid out from %d to %d, and the next value is %d"
                    .formatted(mode, ledger.rows().size(), ledger.laidOut().size(), first, last, ledger.next()));
        }
        if (all.size() < ledger.rows().size() + ledger.laidOut().size()) {
            findings.add(mode + ": numbers of rows are laid out again");
        }
        long lost =
                values.stream().filter(value -> !ledger.rows().contains(value)).count();
        if (lost > 0) {
            findings.add(mode + ": " + lost + " of " + count + " acknowledged commits lost");
        }
        return findings;
    }
}
