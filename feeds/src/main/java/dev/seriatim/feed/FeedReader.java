// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Regressed;
import dev.seriatim.jdbc.sql.Seal;
import dev.seriatim.jdbc.sql.WatchedConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

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

    FeedReader(Feed feed, String name) {
        this.feed = feed;
        this.name = SequenceDefinition.checkName(name);
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
        enter();
        if (isAtEnd() && feed.stamp() == 0 && isAtEnd()) {
            return 0;
        }
        int handled = feed.database.store.inTransaction(lent -> {
            Connection connection = WatchedConnection.own(lent);
            guarded(() -> feed.database.sql.readCommitted(connection));
            int done = handle(connection, lent, limit, handler);
            guarded(() -> feed.database.dialect.commitDurably(connection));
            return done;
        });
        if (handled > 0) {
            listen();
        }
        return handled;
    }

    /**
     * Like {@link #run(int, Handler)}, in a transaction that the caller begins and ends.
     *
     * @param transaction a connection with auto-commit off
     */
    public <X extends Exception> int run(Connection transaction, int limit, Handler<X> handler) throws X {
        Feed.checkLimit(limit);
        guarded(() -> {
            if (transaction.getAutoCommit()) {
                throw new Misconfigured("reader '" + name
                        + "': this connection is in auto-commit mode; begin a transaction on it first");
            }
        });
        enter();
        return handle(transaction, transaction, limit, handler);
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
        long pause = SHORTEST;
        while (!Thread.currentThread().isInterrupted() && feed.passes.isOpen()) {
            long seen = feed.passes.version();
            try {
                if (run(limit, handler) > 0) {
                    pause = SHORTEST;
                    continue;
                }
                pause = Math.min(LONGEST, 2 * pause);
            } catch (SequenceException e) {
                if (e instanceof Misconfigured || e instanceof Regressed || e instanceof SequenceException.NotFound) {
                    throw e;
                }
                feed.listening.call(listener -> listener.failed(feed.name(), e));
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
        long deadline = System.nanoTime() + atMost.toNanos();
        long place = position();
        for (long pause = SHORTEST; place < position; pause = Math.min(LONGEST, 2 * pause)) {
            long left = deadline - System.nanoTime();
            if (left <= 0 || Thread.currentThread().isInterrupted()) {
                throw new Overloaded(
                        "reader '" + name + "' stands at " + place + ", not yet at " + position + ", after "
                                + atMost.toMillis() + " ms; wait longer, or check that it runs",
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
        return feed.database
                .read(connection -> feed.database.sql.place(connection, feed.tables, name, false))
                .orElse(0);
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
        feed.database.write(connection -> {
            feed.database.sql.move(connection, feed.tables, name, position);
            return position;
        });
    }

    /** Removes the reader's place; if it runs again, it begins before the first position. */
    public void forget() {
        String text = "DELETE FROM " + feed.database.sql.readers() + " WHERE feed {=} ? AND reader {=} ?";
        feed.database.write(connection -> feed.database.sql.execute(connection, text, feed.name(), name));
        entered = false;
    }

    private void enter() {
        if (!entered) {
            // On MariaDB and MySQL, the insert would wait for another instance at work.
            boolean isThere = feed.database
                    .read(connection -> feed.database.sql.place(connection, feed.tables, name, false))
                    .isPresent();
            if (!isThere) {
                feed.database.write(connection ->
                        feed.database.sql.execute(connection, feed.database.sql.enterReader(), feed.name(), name));
            }
            entered = true;
        }
    }

    private boolean isAtEnd() {
        return feed.database.read(connection -> {
            OptionalLong place = feed.database.sql.place(connection, feed.tables, name, false);
            return place.isPresent() && place.getAsLong() == feed.database.sql.last(connection, feed.tables);
        });
    }

    private <X extends Exception> int handle(Connection connection, Connection lent, int limit, Handler<X> handler)
            throws X {
        Optional<Turn> next = guarded(() -> turn(connection, limit));
        if (next.isEmpty()) {
            return 0;
        }
        Turn turn = next.get();
        GuardedTransaction guard = new GuardedTransaction(lent);
        handler.handle(guard.lent(), turn.batch());
        guard.end();
        guarded(() -> {
            if (!holds(turn.seal(), connection)) {
                throw new Misconfigured(
                        "the handler of reader '" + name + "' has ended its transaction, so its effects are"
                                + " committed and its place is not; remove the COMMIT, or what commits implicitly");
            }
            feed.database.sql.move(
                    connection,
                    feed.tables,
                    name,
                    turn.batch().get(turn.batch().size() - 1).position());
        });
        return turn.batch().size();
    }

    private record Turn(List<Entry> batch, Seal seal) {}

    private Optional<Turn> turn(Connection connection, int limit) throws SQLException {
        OptionalLong place = feed.database.sql.place(connection, feed.tables, name, true);
        if (place.isEmpty()) {
            return Optional.empty();
        }
        List<Entry> batch = feed.read(connection, place.getAsLong(), limit);
        if (batch.isEmpty()) {
            long last = feed.database.sql.last(connection, feed.tables);
            if (last < place.getAsLong()) {
                throw new Regressed("reader '" + name + "' stands at " + place.getAsLong() + ", feed '" + feed.name()
                        + "' ends at " + last
                        + ": a backup was restored, or the reader belongs to another database; rewind it");
            }
            return Optional.empty();
        }
        return Optional.of(new Turn(batch, feed.database.dialect.seal(connection)));
    }

    private static boolean holds(Seal seal, Connection connection) {
        try {
            return seal.holds(connection);
        } catch (SQLException e) {
            return false;
        }
    }

    private void listen() {
        feed.listening.call(listener -> listener.advanced(feed.name(), name, position()));
    }

    @FunctionalInterface
    private interface Step {
        void run() throws SQLException;
    }

    @FunctionalInterface
    private interface Query<R> {
        R run() throws SQLException;
    }

    private void guarded(Step step) {
        guarded(() -> {
            step.run();
            return true;
        });
    }

    private <R> R guarded(Query<R> query) {
        try {
            return query.run();
        } catch (SQLException e) {
            throw feed.database.failure(e);
        }
    }
}
