// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Regressed;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.Seal;
import dev.seriatim.jdbc.sql.WatchedConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * A place in a feed that moves on in the transaction of its effects: what a handler does in the database happens exactly once for
 * each position, in order. Of several instances of a reader, in any process, one works at a time.
 *
 * <p>Throws like {@link Feed}, and {@link Regressed} if the reader stands beyond the end of the feed. Thread-safe.
 */
public final class FeedReader {

    private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long AFTER_FAILURE = TimeUnit.SECONDS.toNanos(1);

    /** Handles a batch in the reader's transaction. */
    @FunctionalInterface
    public interface Handler<X extends Exception> {

        /**
         * Handles entries, in their order. If this throws, everything is rolled back and the reader stays where it is.
         *
         * @param connection the reader's transaction, which the handler does not end
         * @param batch at least one entry
         */
        void handle(Connection connection, List<Entry> batch) throws X;
    }

    /** Sends a batch elsewhere. */
    @FunctionalInterface
    public interface Sender<X extends Exception> {

        /** Sends entries, in their order. If this throws, all of them are sent again. */
        void send(List<Entry> batch) throws X;
    }

    private final Feed feed;
    private final String name;
    private volatile boolean entered;

    /** The position to which the last batch has moved the reader. */
    private volatile long last;

    FeedReader(Feed feed, String name) {
        this.feed = feed;
        this.name = FeedDefinition.checkName("reader", name);
    }

    public String name() {
        return name;
    }

    /**
     * Handles one batch: reads entries after the reader's place, calls the handler, and moves the place, in one transaction. Stamps
     * if there are no entries.
     *
     * @return how many entries were handled; 0 if there are none, or another instance of this reader is at work
     * @throws Misconfigured if the handler has ended the transaction, or the limit is not from 1 to 100,000
     * @throws X what the handler throws
     */
    public <X extends Exception> int run(int limit, Handler<X> handler) throws X {
        Feed.checkLimit(limit);
        return next(() -> feed.database.transactions.scope(lent -> handle(lent, true, limit, handler)));
    }

    /**
     * Like {@link #run(int, Handler)}, in a transaction that the caller begins and ends; never stamps.
     *
     * @param transaction a connection with auto-commit off
     */
    public <X extends Exception> int run(Connection transaction, int limit, Handler<X> handler) throws X {
        Feed.checkLimit(limit);
        if (feed.database.inside(feed.tables, transaction, Connection::getAutoCommit)) {
            throw new Misconfigured(
                    "reader '" + name + "': this connection is in auto-commit mode; begin a transaction on it first");
        }
        if (!feed.database.dialect.hasOneWriter()) { // which enters the reader itself
            enter();
        }
        return handle(transaction, false, limit, handler);
    }

    /**
     * Sends one batch, then moves the place. What was sent before a failure is sent again: each entry at least once, in order.
     *
     * @return as {@link #run(int, Handler)}
     * @throws X what the sender throws
     */
    public <X extends Exception> int relay(int limit, Sender<X> sender) throws X {
        return run(limit, (connection, batch) -> sender.send(batch));
    }

    /**
     * Handles batches until the thread is interrupted or the feeds are closed. Pauses for at most 250 ms when there are no
     * entries. After a failure of the database, repeats the batch a second later.
     *
     * @throws X what the handler throws; the reader stays where it is
     */
    public <X extends Exception> void follow(int limit, Handler<X> handler) throws X {
        repeat(() -> true, () -> run(limit, handler));
    }

    /**
     * Like {@link #follow(int, Handler)}, in transactions that the caller begins and ends.
     *
     * @param going returns false to end
     * @param run called when there are entries; it begins a transaction, calls {@link #run(Connection, int, Handler)}, commits,
     *     and returns how many entries were handled
     */
    public void follow(BooleanSupplier going, IntSupplier run) {
        this.<RuntimeException>repeat(going, () -> next(run::getAsInt));
    }

    private <X extends Exception> void repeat(BooleanSupplier going, Run<X> run) throws X {
        long pause = SHORTEST;
        while (going.getAsBoolean() && !Thread.currentThread().isInterrupted() && feed.passes.isOpen()) {
            long seen = feed.passes.version();
            try {
                if (run.run() > 0) {
                    pause = SHORTEST;
                    continue;
                }
                pause = Math.min(LONGEST, 2 * pause);
            } catch (Misconfigured | Regressed | SequenceException.NotFound e) {
                throw e;
            } catch (SequenceException e) {
                if (feed.passes.isOpen()) {
                    feed.listening.call(listener -> listener.failed(feed.name(), e));
                }
                pause = AFTER_FAILURE;
            }
            try {
                feed.passes.await(seen, pause);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Waits until the reader has passed a position, such as that of {@link Feed#settle}.
     *
     * @throws Overloaded if it has not by then, or the thread is interrupted
     */
    public void await(long position, Duration atMost) {
        long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(atMost);
        long place = position();
        for (long pause = SHORTEST; place < position; pause = Math.min(LONGEST, 2 * pause)) {
            long left = deadline - System.nanoTime();
            if (left <= 0 || Thread.currentThread().isInterrupted()) {
                throw new Overloaded(
                        "reader '" + name + "' stands at " + place + ", not yet at " + position + ", after "
                                + atMost.toMillis() + " ms; wait longer",
                        null);
            }
            try {
                TimeUnit.NANOSECONDS.sleep(Math.min(left, pause));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            place = position();
        }
    }

    /** Returns the last position that the reader has handled; 0 if there is none. */
    public long position() {
        return place().orElse(0);
    }

    /**
     * Sets the reader's place, forwards or back: entries after it come next. Waits for a batch under way.
     *
     * @throws Misconfigured if the feed does not reach so far
     */
    public void rewind(long position) {
        if (position < 0 || position > feed.last()) {
            throw new Misconfigured(
                    "reader '" + name + "' cannot stand at " + position + "; the feed ends at " + feed.last());
        }
        enter();
        feed.database.write(feed.tables, connection -> feed.database.sql.move(connection, feed.tables, name, position));
    }

    /** Removes the reader's place; if it runs again, it begins before the first position. */
    public void forget() {
        write("forget_reader");
        entered = false;
    }

    /** Handles a batch if there are entries. Stamps if there are none. */
    private <X extends Exception> int next(Run<X> run) throws X {
        enter();
        if (isAtEnd() && feed.stamp() == 0 && isAtEnd()) {
            return 0;
        }
        enter();
        int handled = run.run();
        if (handled > 0) {
            feed.listening.call(listener -> listener.advanced(feed.name(), name, last));
        }
        return handled;
    }

    private void enter() {
        if (!entered) {
            // On MariaDB and MySQL, the insert would wait for another instance at work.
            if (place().isEmpty()) {
                write("enter_reader");
            }
            entered = true;
        }
    }

    private OptionalLong place() {
        return feed.database.read(feed.tables, connection -> feed.database.sql.place(connection, feed.tables, name));
    }

    /** Runs a statement whose parameter is the reader. */
    private void write(String section) {
        String text = feed.database.sql.statement(section, feed.tables);
        feed.database.write(feed.tables, connection -> FeedSql.execute(connection, text, name));
    }

    private boolean isAtEnd() {
        return feed.database.read(feed.tables, connection -> {
            OptionalLong place = feed.database.sql.place(connection, feed.tables, name);
            entered &= place.isPresent(); // another process may have removed it
            return place.orElse(0) == feed.database.sql.last(connection, feed.tables);
        });
    }

    /**
     * Handles a batch; returns how many entries.
     *
     * @param own whether the transaction is this library's
     */
    private <X extends Exception> int handle(Connection lent, boolean own, int limit, Handler<X> handler) throws X {
        Connection transaction = own ? WatchedConnection.own(lent) : lent;
        Optional<Turn> next =
                feed.database.inside(feed.tables, transaction, connection -> turn(connection, own, limit));
        if (next.isEmpty()) {
            return 0;
        }
        List<Entry> batch = next.get().batch();
        GuardedTransaction guard = new GuardedTransaction(lent);
        try {
            handler.handle(guard.lent(), batch);
        } finally {
            guard.end();
        }
        last = feed.database.inside(feed.tables, transaction, connection -> {
            if (!holds(next.get().seal(), connection)) {
                throw new Misconfigured("""
                        the handler of reader '%s' has ended its transaction, so its effects are committed and its \
                        place is not; remove the COMMIT, or what commits implicitly""".formatted(name));
            }
            long end = batch.get(batch.size() - 1).position();
            feed.database.sql.move(connection, feed.tables, name, end);
            if (own) {
                feed.database.dialect.commitDurably(connection);
            }
            return end;
        });
        return batch.size();
    }

    private record Turn(List<Entry> batch, Seal seal) {}

    private Optional<Turn> turn(Connection connection, boolean begins, int limit) throws SQLException {
        if (begins) {
            feed.database.sql.begin(connection);
        }
        OptionalLong place = feed.database.sql.lockedPlace(connection, feed.tables, name);
        if (place.isEmpty()) {
            entered = false; // another process may have removed it
            return Optional.empty();
        }
        List<Entry> batch = feed.read(connection, place.getAsLong(), limit);
        if (batch.isEmpty()) {
            long end = feed.database.sql.last(connection, feed.tables);
            if (end < place.getAsLong() && !begins) {
                end = feed.last(); // a caller's transaction at REPEATABLE READ may see less than the place
            }
            if (end < place.getAsLong()) {
                throw new Regressed("reader '" + name + "' stands at " + place.getAsLong() + ", feed '" + feed.name()
                        + "' ends at " + end
                        + ": a backup was restored, or the reader belongs to another database; rewind it");
            }
            return Optional.empty();
        }
        return Optional.of(new Turn(batch, feed.database.dialect.seal(connection)));
    }

    /** A broken connection is not the handler's doing. */
    private boolean holds(Seal seal, Connection connection) throws SQLException {
        try {
            return seal.holds(connection);
        } catch (SQLException e) {
            if (feed.database.failures.fault(e) == Fault.LOST) {
                throw e;
            }
            return false;
        }
    }

    @FunctionalInterface
    private interface Run<X extends Exception> {
        int run() throws X;
    }
}
