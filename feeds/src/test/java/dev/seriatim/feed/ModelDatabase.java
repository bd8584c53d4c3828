// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What PostgreSQL does at READ COMMITTED with the tables of a feed. A method is a statement, or a part of one between which others
 * run. Commits and sequences are written to a log; a crash loses what is not flushed.
 */
final class ModelDatabase {

    enum State {
        OPEN,
        PREPARED,
        COMMITTED,
        ROLLED_BACK
    }

    /** A transaction, and what it has changed. */
    static final class Tx {
        State state = State.OPEN;
        String name;
        boolean writesInbox;
        boolean committing;

        Tx(String name) {
            this.name = name;
        }

        boolean is(State other) {
            return state == other;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static final class Session {
        final int slot;
        boolean alive = true;

        @Nullable
        Tx tx;

        Session(int slot) {
            this.slot = slot;
        }
    }

    /** A row of the inbox. */
    static final class Row {
        final long arrival;
        final int key;
        final Tx by;

        @Nullable
        Tx deletedBy;

        Row(long arrival, int key, Tx by) {
            this.arrival = arrival;
            this.key = key;
            this.by = by;
        }

        boolean isVisible() {
            return by.is(State.COMMITTED) && (deletedBy == null || !deletedBy.is(State.COMMITTED));
        }
    }

    /** A row of the positions, of a reader's effects, or a reader's place. */
    record Entry(long position, int key, Tx by) {}

    private enum Event {
        NEXT_VALUE,
        PREPARE,
        COMMIT,
        ROLLBACK
    }

    private record Logged(Event event, @Nullable Tx tx, long value) {}

    private final SplittableRandom random;
    private final int ahead;
    private final List<Logged> log = new ArrayList<>();
    private int flushed;

    final List<Session> sessions = new ArrayList<>();
    private final Map<Integer, Integer> transactions = new HashMap<>();
    private final List<Tx> begun = new ArrayList<>();
    private final List<Tx> unended = new ArrayList<>();
    private int firstTransaction = 1;
    private int run = 1;
    private int xid = 700;

    private long last;
    private long logged;
    private long durable;
    private long observed;
    final List<Row> inbox = new ArrayList<>();
    final List<Entry> positions = new ArrayList<>();
    final List<Entry> effects = new ArrayList<>();
    final List<Entry> places = new ArrayList<>();

    @Nullable
    Tx feedLock;

    @Nullable
    Tx placeLock;

    /** What prepared transactions are called after a crash. */
    String prepared = "-1/";

    ModelDatabase(SplittableRandom random) {
        this.random = random;
        int[] choices = {0, 0, 1, 3, 32};
        ahead = choices[random.nextInt(choices.length)];
    }

    // Sessions and transactions

    Session connect() {
        int slot = 1;
        for (int i = 0; i < sessions.size(); i++) {
            if (sessions.get(i).slot == slot) {
                slot++;
                i = -1;
            }
        }
        Session session = new Session(slot);
        sessions.add(session);
        return session;
    }

    Tx begin(Session session) {
        Tx tx = new Tx(
                session.slot + "/" + transactions.merge(session.slot, firstTransaction, (number, none) -> number + 1));
        session.tx = tx;
        begun.add(tx);
        unended.add(tx);
        return tx;
    }

    /** Writes the commit to the log; others do not see it yet. */
    void logCommit(Session session, Tx tx, boolean flush) {
        log(Event.COMMIT, tx, 0);
        session.tx = tx;
        tx.committing = true;
        if (flush) {
            flush();
        }
    }

    /** Others see it, and its locks are free. */
    void endCommit(Tx tx) {
        end(tx, State.COMMITTED);
    }

    void rollBack(Tx tx) {
        if (tx.is(State.PREPARED)) {
            log(Event.ROLLBACK, tx, 0);
            flush();
        }
        end(tx, State.ROLLED_BACK);
    }

    void prepare(Session session, Tx tx) {
        log(Event.PREPARE, tx, 0);
        flush();
        tx.state = State.PREPARED;
        session.tx = null;
    }

    private void end(Tx tx, State state) {
        tx.state = state;
        tx.writesInbox = false;
        unended.remove(tx);
        feedLock = feedLock == tx ? null : feedLock;
        placeLock = placeLock == tx ? null : placeLock;
        for (Session session : sessions) {
            session.tx = session.tx == tx ? null : session.tx;
        }
    }

    void disconnect(Session session) {
        Tx tx = session.tx;
        session.alive = false;
        sessions.remove(session);
        if (tx != null) {
            end(tx, tx.committing ? State.COMMITTED : State.ROLLED_BACK); // a commit in the log can only go on
        }
    }

    private void log(Event event, @Nullable Tx tx, long value) {
        log.add(new Logged(event, tx, value));
    }

    void flush() {
        flushed = log.size();
        durable = logged;
    }

    /** The server ends and recovers, in the same postmaster or in another one. */
    void crash(boolean otherPostmaster) {
        sessions.forEach(session -> session.alive = false);
        sessions.clear();
        transactions.clear();
        log.subList(flushed, log.size()).clear();
        unended.clear();
        feedLock = null;
        placeLock = null;
        begun.forEach(tx -> {
            tx.state = State.ROLLED_BACK;
            tx.writesInbox = false;
        });
        last = 0;
        for (Logged each : log) {
            Tx tx = each.tx;
            if (tx == null) {
                last = each.value;
            } else {
                tx.state = each.event == Event.COMMIT
                        ? State.COMMITTED
                        : each.event == Event.PREPARE ? State.PREPARED : State.ROLLED_BACK;
            }
        }
        for (Tx tx : begun) {
            if (tx.is(State.PREPARED)) {
                tx.name = prepared + ++xid;
                tx.writesInbox = true;
                unended.add(tx);
            }
        }
        logged = last;
        durable = last;
        observed = last;
        firstTransaction = random.nextInt(4) * 100;
        run += otherPostmaster ? 1 : 0;
    }

    /** Returns whether a crash would set the sequence back to before what a session has read. */
    boolean loses() {
        return observed > durable;
    }

    String server() {
        return "run " + run;
    }

    // The inbox

    long nextValue() {
        last++;
        if (last > logged || random.nextInt(16) == 0) {
            logged = last + ahead;
            log(Event.NEXT_VALUE, null, logged);
        }
        return last;
    }

    long lastValue() {
        observed = Math.max(observed, last);
        return last;
    }

    void insert(Tx tx, long arrival, int key) {
        inbox.add(new Row(arrival, key, tx));
    }

    /** Rolls back to a savepoint that is older than the transaction's first row and lock. */
    void undo(Tx tx) {
        inbox.removeIf(row -> row.by == tx);
        tx.writesInbox = false;
    }

    Set<String> holders() {
        Set<String> names = new TreeSet<>();
        for (Tx tx : unended) {
            if (tx.writesInbox) {
                names.add(tx.name);
            }
        }
        return names;
    }

    /** Returns the rows that a statement sees now, in the order of their arrival. */
    List<Row> waiting(long floor, int limit) {
        List<Row> rows = new ArrayList<>();
        for (Row row : inbox) {
            if (row.arrival > floor && row.isVisible()) {
                rows.add(row);
            }
        }
        rows.sort((a, b) -> Long.compare(a.arrival, b.arrival));
        return rows.size() > limit ? rows.subList(0, limit) : rows;
    }

    /** Returns the entries that a statement sees now. */
    static List<Entry> visible(List<Entry> entries) {
        List<Entry> visible = new ArrayList<>(entries.size());
        for (Entry each : entries) {
            if (each.by.is(State.COMMITTED)) {
                visible.add(each);
            }
        }
        return visible;
    }

    long lastPosition() {
        long highest = 0;
        for (Entry each : positions) {
            if (each.by.is(State.COMMITTED)) {
                highest = Math.max(highest, each.position);
            }
        }
        return highest;
    }

    /** Moves rows to the positions after this one; one that another transaction has moved meanwhile is left out. */
    int move(Tx tx, List<Row> rows, long after) {
        int moved = 0;
        for (Row row : rows) {
            if (row.deletedBy == null || row.deletedBy.is(State.ROLLED_BACK)) {
                row.deletedBy = tx;
                positions.add(new Entry(after + ++moved, row.key, tx));
            }
        }
        tx.writesInbox = true;
        return moved;
    }

    long place() {
        long place = 0;
        for (Entry each : places) {
            place = each.by.is(State.COMMITTED) ? each.position : place;
        }
        return place;
    }
}
