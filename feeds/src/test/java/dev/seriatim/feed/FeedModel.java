// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.feed.Floor.Observation;
import dev.seriatim.feed.ModelDatabase.Entry;
import dev.seriatim.feed.ModelDatabase.Row;
import dev.seriatim.feed.ModelDatabase.Session;
import dev.seriatim.feed.ModelDatabase.State;
import dev.seriatim.feed.ModelDatabase.Tx;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One schedule of writers, stampers with a {@link Floor}, readers, kills and crashes. A seed decides whose step is next. A step is
 * one statement, or a part of one between which others run; the steps of a pass are those of {@link Passes}.
 */
final class FeedModel {

    /** What is planted, and the law that it breaks. */
    enum Fault {
        NONE(""),
        HOLDERS_READ_BEFORE_THE_SEQUENCE("law C"),
        SNAPSHOT_BEFORE_THE_LOCK("law G"),
        FLOOR_RAISED_BY_A_FULL_PASS("law C"),
        OBSERVATION_COUNTS_WITHOUT_A_COMMIT("law C"),
        OBSERVATION_COUNTS_AFTER_A_LATER_COMMIT("law C"),
        SETTLED_READ_AFTER_THE_PASS_BEGAN("law C"),
        PREPARED_TRANSACTIONS_UNRECOGNISED("law C"),
        STAMPER_COMMITS_ASYNCHRONOUSLY("law F"),
        ARRIVALS_CACHED("law O"),
        PLACE_MOVES_IN_ANOTHER_TRANSACTION("law R"),
        FLOOR_STAYS("the floor");

        final String breaks;

        Fault(String breaks) {
            this.breaks = breaks;
        }
    }

    private static final int MOST_STEPS = 50_000;
    private static final Tx NONE = new Tx("");

    private final SplittableRandom random;
    private final Fault fault;
    private final @Nullable List<String> trace;
    private final ModelDatabase database;
    private final List<Actor> actors = new ArrayList<>();
    private final List<Instance> instances = new ArrayList<>();
    private final List<Written> written = new ArrayList<>();
    private final List<Integer> seen = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private final int full;
    private final int stalls;
    private int writing;
    private int keys;
    private int steps;

    FeedModel(long seed, Fault fault, boolean tracing) {
        random = new SplittableRandom(seed);
        this.fault = fault;
        trace = tracing ? new ArrayList<>() : null;
        database = new ModelDatabase(random);
        if (fault == Fault.PREPARED_TRANSACTIONS_UNRECOGNISED) {
            database.prepared = "0/";
        }
        full = 1 + random.nextInt(5);
        stalls = 2 + random.nextInt(12);
        for (int i = 2 + random.nextInt(3); i > 0; i--) {
            new Writer();
            writing++;
        }
        for (int host = random.nextInt(4) / 3; host >= 0; host--) {
            instances.add(new Instance());
            new Stamper(host);
            if (chance(30)) {
                new Stamper(host);
            }
        }
        if (chance(25)) {
            new Poller();
        }
        if (chance(25)) {
            new Reader();
            new Reader();
        }
        new Trouble();
    }

    /** Plays the schedule; returns the promises that it breaks. */
    List<String> play() {
        while (!actors.isEmpty() && faults.isEmpty()) {
            if (++steps > MOST_STEPS) {
                fault("the schedule does not end");
            }
            turn();
        }
        if (faults.isEmpty()) {
            database.flush();
            for (int host = 0; host < instances.size(); host++) {
                rest(host);
            }
            account();
        }
        return faults;
    }

    List<String> trace() {
        return trace == null ? List.of() : trace;
    }

    int steps() {
        return steps;
    }

    private void turn() {
        int total = 0;
        for (Actor each : actors) {
            total += each.weight();
        }
        if (total == 0) {
            steps = actors.stream().mapToInt(each -> each.until).min().orElse(0);
            return;
        }
        int drawn = random.nextInt(total);
        for (Actor each : actors) {
            drawn -= each.weight();
            if (drawn < 0) {
                each.step();
                return;
            }
        }
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private void note(String what) {
        if (trace != null) {
            trace.add(steps + " " + what);
        }
    }

    private void fault(String what) {
        note("FAULT: " + what);
        faults.add(what);
    }

    /** Compares what is committed with what was: positions only grow, at the end and without gaps. */
    private void look() {
        List<Entry> entries = ModelDatabase.visible(database.positions);
        for (int i = 0; i < entries.size(); i++) {
            Entry each = entries.get(i);
            if (each.position() != i + 1) {
                fault("law G: position " + each.position() + " stands where " + (i + 1) + " belongs");
            } else if (i == seen.size()) {
                seen.add(each.key());
            } else if (seen.get(i) != each.key()) {
                fault("law F: position " + each.position() + " was row " + seen.get(i) + " and is " + each.key());
            }
        }
        if (entries.size() < seen.size()) {
            fault("law F: position " + seen.size() + " has gone");
        }
    }

    /** Returns some of the entries after a place. */
    private List<Entry> batch(long place) {
        return ModelDatabase.visible(database.positions).stream()
                .filter(each -> each.position() > place)
                .sorted(Comparator.comparing(Entry::position))
                .limit(1 + random.nextInt(3))
                .toList();
    }

    /** Lets an instance stamp what is left, and a last row. */
    private void rest(int host) {
        Stamper stamper = new Stamper(host);
        do {
            stamper.pass();
        } while (stamper.moved > 0);
        if (!database.waiting(0, 1).isEmpty()) {
            fault("law C: row " + database.waiting(0, 1).get(0).key + " has no position after undisturbed passes");
            return;
        }
        new Writer().write();
        stamper.pass();
        stamper.pass();
        long floor = instances.get(host).floor.start().floor();
        if (floor != database.lastValue()) {
            fault("the floor is " + floor + ", and all up to " + database.lastValue() + " is over and stamped");
        }
    }

    private void account() {
        List<Entry> entries = ModelDatabase.visible(database.positions);
        int expected = 0;
        for (Written each : written) {
            if (each.tx.is(State.COMMITTED)) {
                expected += each.keys.size();
                each.keys.stream()
                        .filter(key -> !seen.contains(key))
                        .forEach(key -> fault("law C: row " + key + " is committed and has no position"));
            }
        }
        if (entries.size() != expected) {
            fault("law C: " + entries.size() + " positions for " + expected + " committed rows");
        }
        for (Written later : written) {
            for (Written earlier : written) {
                if (earlier.returned < later.sent) {
                    checkOrder(earlier, later);
                }
            }
        }
        List<Entry> effects = ModelDatabase.visible(database.effects);
        for (int i = 0; i < effects.size(); i++) {
            if (effects.get(i).position() != i + 1 || effects.get(i).key() != seen.get(i)) {
                fault("law R: effect " + (i + 1) + " is that of position "
                        + effects.get(i).position());
            }
        }
        if (database.place() != effects.size()) {
            fault("law R: the reader stands at " + database.place() + " with " + effects.size() + " effects");
        }
    }

    private void checkOrder(Written earlier, Written later) {
        for (int first : earlier.keys) {
            for (int second : later.keys) {
                if (seen.indexOf(first) > seen.indexOf(second) && seen.contains(second)) {
                    fault("law O: row " + first + " was committed before " + second
                            + " was sent, and has a higher position");
                }
            }
        }
    }

    /** Something that runs, one step at a time. */
    private abstract class Actor {
        final String name;
        private final int pace = 1 + random.nextInt(4);
        private int until;
        private boolean asks = true;
        private Runnable next = this::begin;

        @Nullable
        Session session;

        Actor(String name) {
            this.name = name + "-" + actors.size();
            actors.add(this);
        }

        abstract void begin();

        void pause(int least) {
            until = steps + (least << random.nextInt(5));
        }

        int weight() {
            return until > steps ? 0 : pace;
        }

        /** Called instead of a statement if the session has ended. */
        abstract void disconnected();

        /** Sets the next step, a statement. */
        void then(Runnable step) {
            next = step;
            asks = true;
        }

        /** Sets the next step, which does not ask the database. */
        void thenHere(Runnable step) {
            next = step;
            asks = false;
        }

        void step() {
            if (chance(stalls)) {
                pause(16);
            }
            if (asks && session != null && !session.alive) {
                session = null;
                say("is disconnected");
                disconnected();
            } else {
                next.run();
            }
        }

        Session connected() {
            if (session == null) {
                session = database.connect();
            }
            return session;
        }

        void end() {
            if (session != null) {
                database.disconnect(session);
            }
            actors.remove(this);
        }

        void say(Object... words) {
            if (trace != null) {
                note(name + " " + Stream.of(words).map(String::valueOf).collect(Collectors.joining(" ")));
            }
        }
    }

    /** A transaction of a writer. */
    private static final class Written {
        final Tx tx;
        final List<Integer> keys = new ArrayList<>();
        int sent = Integer.MAX_VALUE;
        int returned = Integer.MAX_VALUE;

        Written(Tx tx) {
            this.tx = tx;
        }
    }

    private final class Writer extends Actor {
        private int transactions = 2 + random.nextInt(5);
        private Written now = new Written(NONE);
        private int rows;
        private boolean immediate;
        private long arrival;
        private long kept;

        Writer() {
            super("writer");
        }

        @Override
        void begin() {
            if (transactions-- == 0) {
                writing--;
                end();
                return;
            }
            now = new Written(database.begin(connected()));
            written.add(now);
            rows = 1 + random.nextInt(2);
            immediate = chance(25);
            say("begins", now.tx.name);
            then(this::commit);
        }

        /** Sends the commit, or a row after {@code SET CONSTRAINTS ALL IMMEDIATE}. */
        private void commit() {
            now.sent = Math.min(now.sent, steps);
            then(rows > 0 ? this::lock : this::ends);
        }

        private void lock() {
            now.tx.writesInbox = true;
            then(this::draw);
        }

        private void draw() {
            arrival = kept > 0 ? kept : database.nextValue();
            kept = kept > 0 || fault != Fault.ARRIVALS_CACHED ? 0 : database.nextValue();
            say("draws", arrival);
            then(this::insert);
        }

        private void insert() {
            int key = ++keys;
            database.insert(now.tx, arrival, key);
            now.keys.add(key);
            say("inserts row", key, "with arrival", arrival);
            rows--;
            if (immediate) {
                immediate = false;
                then(chance(50) ? this::rollBackToSavepoint : this::commit);
            } else {
                then(rows > 0 ? this::lock : this::ends);
            }
        }

        private void rollBackToSavepoint() {
            database.undo(now.tx);
            now.keys.clear();
            now.sent = Integer.MAX_VALUE;
            say("rolls back to a savepoint");
            then(this::commit);
        }

        private void ends() {
            int way = random.nextInt(10);
            if (way == 0) {
                database.rollBack(now.tx);
                say("rolls back");
                then(this::begin);
            } else if (way < 3) {
                pause(16);
                database.prepare(connected(), now.tx);
                say("prepares", now.tx.name);
                then(this::resolve);
            } else {
                database.logCommit(connected(), now.tx, way > 3);
                say("logs its commit, flushed:", way > 3);
                then(this::publish);
            }
        }

        private void resolve() {
            if (!now.tx.is(State.PREPARED)) {
                then(this::begin);
            } else if (chance(20)) {
                database.rollBack(now.tx);
                say("rolls back what it has prepared");
                then(this::begin);
            } else {
                database.logCommit(connected(), now.tx, true);
                say("logs its prepared commit");
                then(this::publish);
            }
        }

        private void publish() {
            database.endCommit(now.tx);
            say("has committed");
            thenHere(this::answered);
        }

        private void answered() {
            now.returned = steps;
            then(this::begin);
        }

        @Override
        void disconnected() {
            then(now.tx.is(State.PREPARED) ? this::resolve : this::begin);
        }

        /** Writes and commits a row. */
        void write() {
            now = new Written(database.begin(connected()));
            written.add(now);
            commit();
            rows = 1;
            lock();
            draw();
            insert();
            database.logCommit(connected(), now.tx, true);
            publish();
            end();
        }
    }

    /** A process, whose threads share a floor. */
    private static final class Instance {
        final Floor floor = new Floor();
        boolean observing;
        Observation latest = new Observation(0, Set.of(), "");
    }

    /** Its steps are those of {@link Passes}. */
    private final class Stamper extends Actor {
        private final int host;
        private Instance instance = new Instance();
        private boolean done = true;
        private boolean calm;
        private boolean observes;
        private boolean settles;
        private boolean started;
        private Floor.Start start = instance.floor.start();
        private Tx tx = NONE;
        private long arrival;
        private Set<String> holders = Set.of();
        private @Nullable Observation within;
        private List<Row> rows = List.of();
        private long after;
        int moved;

        /** @param host where its process runs */
        Stamper(int host) {
            super("stamper");
            this.host = host;
        }

        @Override
        void begin() {
            if (writing == 0 && chance(25)) {
                end();
            } else {
                boolean free = !instances.get(host).observing;
                boolean settling = free && chance(5);
                begin(settling || (free && chance(80)), settling);
            }
        }

        /** Runs a pass that nothing disturbs. */
        void pass() {
            calm = true;
            begin(true, false);
            while (!done) {
                step();
            }
        }

        private void begin(boolean observing, boolean settling) {
            instance = instances.get(host);
            done = false;
            started = false;
            within = null;
            moved = 0;
            observes = observing;
            settles = settling;
            if (observes) {
                instance.observing = true;
                then(this::observe);
            } else {
                thenHere(this::start);
            }
        }

        private void ended() {
            done = true;
            if (observes) {
                instance.observing = false;
            }
            then(this::begin);
        }

        private void observe() {
            connected();
            if (fault == Fault.HOLDERS_READ_BEFORE_THE_SEQUENCE) {
                holders = database.holders();
            } else {
                arrival = database.lastValue();
            }
            then(this::observeTheRest);
        }

        private void observeTheRest() {
            if (fault == Fault.HOLDERS_READ_BEFORE_THE_SEQUENCE) {
                arrival = database.lastValue();
            } else {
                holders = database.holders();
            }
            Observation now = new Observation(arrival, holders, database.server());
            say("observes", now);
            if (started) {
                within = now;
                then(this::move);
            } else {
                instance.latest = now;
                thenHere(this::observed);
            }
        }

        private void observed() {
            if (fault != Fault.FLOOR_STAYS) {
                instance.floor.observe(instance.latest, fault == Fault.OBSERVATION_COUNTS_WITHOUT_A_COMMIT);
            }
            thenHere(this::start);
        }

        private void start() {
            start = instance.floor.start();
            started = true;
            retry();
            then(settles || start.floor() < start.settled() ? this::lock : this::search);
        }

        /** Begins the transaction of the pass, or another one if its session has ended. */
        private void retry() {
            within = fault == Fault.OBSERVATION_COUNTS_AFTER_A_LATER_COMMIT ? instance.latest : null;
            then(this::lock);
        }

        private void search() {
            connected();
            boolean found = !database.waiting(start.floor(), 1).isEmpty();
            say("finds rows above", start.floor(), found);
            if (found) {
                then(this::lock);
            } else {
                ended();
                pause(4);
            }
        }

        private void lock() {
            if (tx != connected().tx) {
                tx = database.begin(connected());
                read();
            }
            if (database.feedLock == null) {
                database.feedLock = tx;
                then(observes && within == null ? this::observe : this::move);
            } else if (!settles) {
                database.rollBack(tx);
                ended();
            }
        }

        private void read() {
            rows = database.waiting(start.floor(), full);
            after = database.lastPosition();
        }

        private void move() {
            if (fault != Fault.SNAPSHOT_BEFORE_THE_LOCK) {
                read();
            }
            moved = database.move(tx, rows, after);
            say("moves", moved, "rows above", start.floor());
            then(this::log);
        }

        private void log() {
            database.logCommit(connected(), tx, fault != Fault.STAMPER_COMMITS_ASYNCHRONOUSLY);
            then(this::publish);
        }

        private void publish() {
            database.endCommit(tx);
            look();
            if (calm || !chance(10)) {
                thenHere(this::passed);
            } else {
                say("loses the answer");
                ended();
            }
        }

        private void passed() {
            if (moved < full || fault == Fault.FLOOR_RAISED_BY_A_FULL_PASS) {
                instance.floor.passed(
                        fault == Fault.SETTLED_READ_AFTER_THE_PASS_BEGAN ? instance.floor.start() : start);
            }
            if (moved > 0 && within != null) {
                instance.floor.observe(within, true);
            }
            say("passed;", instance.floor.start());
            if (settles && moved == full) {
                started = false;
                then(this::observe);
            } else {
                ended();
            }
        }

        @Override
        void disconnected() {
            if (!done) {
                if (!started || tx.committing || chance(50)) {
                    ended();
                } else {
                    retry();
                }
            }
        }
    }

    /** Polls from a place that it remembers. */
    private final class Poller extends Actor {
        private long place;

        Poller() {
            super("poller");
        }

        @Override
        void begin() {
            if (writing == 0 && chance(25)) {
                end();
                return;
            }
            connected();
            for (Entry each : batch(place)) {
                if (each.position() != place + 1) {
                    fault("law F: a poller at " + place + " reads " + each.position());
                }
                place = each.position();
            }
        }

        @Override
        void disconnected() {}
    }

    /** Reads from a place in the database, which moves in the transaction of the effects. */
    private final class Reader extends Actor {
        private Tx tx = NONE;
        private List<Entry> batch = List.of();
        private boolean apart;

        Reader() {
            super("reader");
        }

        @Override
        void begin() {
            if (writing == 0 && chance(25)) {
                end();
            } else if (database.placeLock == null) {
                tx = database.begin(connected());
                database.placeLock = tx;
                then(this::read);
            }
        }

        private void read() {
            batch = batch(database.place());
            if (batch.isEmpty()) {
                database.rollBack(tx);
                then(this::begin);
            } else {
                then(this::handle);
            }
        }

        private void handle() {
            batch.forEach(each -> database.effects.add(new Entry(each.position(), each.key(), tx)));
            apart = false;
            then(fault == Fault.PLACE_MOVES_IN_ANOTHER_TRANSACTION ? this::commit : this::move);
        }

        private void move() {
            database.places.add(new Entry(batch.get(batch.size() - 1).position(), 0, tx));
            then(this::commit);
        }

        private void commit() {
            database.logCommit(connected(), tx, chance(75));
            then(this::publish);
        }

        private void publish() {
            database.endCommit(tx);
            say("has handled", batch);
            then(this::begin);
            if (fault == Fault.PLACE_MOVES_IN_ANOTHER_TRANSACTION && !apart) {
                apart = true;
                tx = database.begin(connected());
                then(this::move);
            }
        }

        @Override
        void disconnected() {
            then(this::begin);
        }
    }

    /** Flushes the log, kills sessions, restarts processes, and crashes the server. */
    private final class Trouble extends Actor {
        private final int kills = random.nextInt(3) * 8;
        private final int flushes = random.nextInt(3) * 20;

        /** Whether it waits until a crash sets the sequence back behind what somebody has read. */
        private final boolean mean = chance(70);

        private int crashes = random.nextInt(4);

        Trouble() {
            super("trouble");
        }

        @Override
        int weight() {
            return mean && crashes > 0 && database.loses() ? 2 : super.weight();
        }

        @Override
        void begin() {
            pause(8);
            if (writing == 0) {
                end();
            } else if (crashes > 0 && (mean ? database.loses() : chance(15))) {
                crashes--;
                boolean otherPostmaster = chance(25);
                database.crash(otherPostmaster);
                say("crashes, another postmaster:", otherPostmaster, "sequence at", database.lastValue());
                look();
            } else if (chance(kills) && !database.sessions.isEmpty()) {
                database.disconnect(database.sessions.get(random.nextInt(database.sessions.size())));
                look();
            } else if (chance(2)) {
                instances.set(random.nextInt(instances.size()), new Instance());
            } else if (chance(flushes)) {
                database.flush();
            }
        }

        @Override
        void disconnected() {}
    }
}
