// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import dev.seriatim.Block;
import dev.seriatim.GaplessSequence;
import dev.seriatim.SequenceException;
import dev.seriatim.spring.source.InnermostDataSource;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Draws gapless numbers in the Spring transaction of the calling thread, on that transaction's connection. A rollback,
 * including one to the savepoint of a nested transaction, undoes its draws.
 *
 * <pre>{@code
 * @Bean
 * GaplessNumbers invoiceNumbers(JdbcSequences sequences, DataSource dataSource) {
 *     return GaplessNumbers.of(sequences.gapless("invoice_id"), dataSource);
 * }
 *
 * @Transactional
 * public long issue() {
 *     long number = invoiceNumbers.next();
 *     jdbc.update("INSERT INTO invoice (number) VALUES (?)", number);
 *     return number;
 * }
 * }</pre>
 *
 * <p>Works in the transactions of a {@code DataSourceTransactionManager}, a {@code JdbcTransactionManager}, and a
 * {@code JpaTransactionManager} whose dialect exposes its JDBC connection, as Hibernate's does. It never opens a
 * connection of its own.
 *
 * <p>The draw waits for the counter at most as long as the patience of the sequences, and as the transaction's timeout
 * has left. If a transaction that has drawn commits although its method threw an exception, a warning is logged.
 * Isolation and conflicts are those of {@link GaplessSequence}.
 *
 * <p>Spring's hooks cannot tell whether their transaction has ended, so two cases are misjudged. In
 * {@code afterCompletion}, a {@code TransactionTemplate} that joins the ended transaction can still draw; the number is
 * committed only if other writes there are. In a transaction that an {@code afterCommit} begins, the first draw is
 * refused if that transaction has already registered an {@code afterCommit} of the same class; draw before that.
 *
 * <p>Thread-safe.
 */
public final class GaplessNumbers {

    private final GaplessSequence<Connection> sequence;
    private final DataSource source;

    private GaplessNumbers(GaplessSequence<Connection> sequence, DataSource source) {
        this.sequence = sequence;
        this.source = source;
    }

    /**
     * Returns the numbers of a sequence, for transactions of the data source.
     *
     * @param source the data source of the transaction manager, or one that it wraps, or that wraps it, by Spring's
     *     {@code DelegatingDataSource}; the table of the sequence is in its database
     */
    public static GaplessNumbers of(GaplessSequence<Connection> sequence, DataSource source) {
        // Transaction managers do the same: transactions are bound to the data source that the proxy wraps.
        DataSource target =
                source instanceof TransactionAwareDataSourceProxy proxy ? proxy.getTargetDataSource() : source;
        return new GaplessNumbers(sequence, target == null ? source : target);
    }

    /** Returns the sequence's name in its store. */
    public String name() {
        return sequence.name();
    }

    /**
     * Draws the next number in this thread's transaction.
     *
     * @throws SequenceException.Misconfigured if there is no transaction on this thread, if it is read-only, if it is
     *     one of another data source, or if a suspended transaction of this thread has drawn from the sequence, or is
     *     a unit of {@link #grouped()}; also in a hook that runs after its end, such as {@code afterCommit} or a
     *     {@code @TransactionalEventListener}, which needs a new transaction ({@code REQUIRES_NEW})
     * @throws SequenceException as {@link GaplessSequence#next(Object)}; roll the transaction back after one
     * @throws org.springframework.transaction.TransactionTimedOutException if the transaction's timeout has passed
     * @throws IllegalStateException if the sequences are closed
     */
    public long next() {
        return next(1).first();
    }

    /**
     * Draws the next {@code count} numbers as one block, in one round trip. The block is shorter only if the sequence
     * has fewer left.
     *
     * @throws SequenceException.Misconfigured if the count is below 1, or as {@link #next()}
     * @throws SequenceException as {@link #next()}
     */
    public Block next(int count) {
        CurrentTransaction current = CurrentTransaction.of(source, name());
        SharedConnectionHolder unit = unit(current);
        return unit == null ? draw(current, count) : unit.turn().next(count);
    }

    /**
     * Draws the next number when this thread's transaction is about to commit, after its other hooks, and passes it to a step that
     * stores it, usually by an UPDATE. The counter is locked from then to the end of the commit, not for the whole rest of the
     * transaction. If the draw or the step fails, the transaction is rolled back. A transaction that rolls back draws nothing, nor
     * does a nested one that does.
     *
     * <p>Steps run in the order of their sequences' names, so that transactions that draw from several do not deadlock. Called
     * in a hook before the commit, it draws at once. In JPA, flush before the method ends what the step updates: the
     * {@code EntityManager} itself flushes later.
     *
     * @throws SequenceException.Misconfigured as {@link #next()}, and if the transaction manager calls no hooks
     */
    public void atCommit(LongConsumer step) {
        CurrentTransaction.of(source, name());
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            throw new SequenceException.Misconfigured(name(), """
                    the transaction manager calls no hooks before the commit; draw with next""");
        }
        if (LastDraws.areOver()) {
            LastDraws.run(new LastDraws.Step(this, step));
        } else {
            LastDraws.registered().steps.add(new LastDraws.Step(this, step));
        }
    }

    /** What is drawn when a transaction commits. */
    private static final class LastDraws implements TransactionSynchronization {

        private static final StackWalker STACK = StackWalker.getInstance();

        private record Step(GaplessNumbers numbers, LongConsumer step) {}

        private final List<Step> steps = new ArrayList<>();

        /** The number of steps at each savepoint that is in use. */
        private final Map<Object, Integer> before = new WeakHashMap<>();

        /** Returns whether this runs in a hook before the end: one that is registered now is not called any more. */
        static boolean areOver() {
            return STACK.walk(
                    frames -> frames.anyMatch(frame -> frame.getMethodName().startsWith("triggerBefore")));
        }

        static LastDraws registered() {
            LastDraws draws = CurrentTransaction.registered(LastDraws.class);
            if (draws == null) {
                draws = new LastDraws();
                TransactionSynchronizationManager.registerSynchronization(draws);
            }
            return draws;
        }

        @Override
        public void savepoint(Object savepoint) {
            before.put(savepoint, steps.size());
        }

        @Override
        public void savepointRollback(Object savepoint) {
            steps.subList(before.getOrDefault(savepoint, 0), steps.size()).clear();
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            steps.sort(Comparator.comparing(each -> each.numbers.name()));
            steps.forEach(LastDraws::run);
        }

        static void run(Step each) {
            try {
                each.step.accept(each.numbers.next());
            } catch (TransactionException e) {
                // Spring takes it for one of the commit, and does not roll back.
                throw new SequenceException.Unavailable(each.numbers.name(), """
                        nothing was committed, since its number was not drawn and stored in time (%s); repeat the \
                        transaction""".formatted(e.getMessage()), e);
            }
        }
    }

    /**
     * Returns transactions that many callers share, in which this object draws without a round trip: GROUPED mode.
     * Other code of the unit, such as {@code JdbcTemplate}, takes part if it works with the data source given to
     * {@link #of}.
     *
     * @throws SequenceException as {@link GaplessSequence#grouped()}
     */
    public GroupedTransactions grouped() {
        return grouped(Map.of());
    }

    GroupedTransactions grouped(Map<Object, Consumer<Connection>> joining) {
        return new GroupedTransactions(this, sequence.grouped(), source, joining);
    }

    /** A counter that a transaction holds: other objects and data sources may lead to the same one. */
    record Counter(String name, DataSource innermost) {}

    /** Returns the key that is bound to a thread while a unit, or a suspended transaction, holds the counter. */
    Counter counter() {
        return new Counter(name(), InnermostDataSource.of(source));
    }

    /** Returns the unit that deals these numbers in the transaction; null if they are drawn on its connection. */
    private @Nullable SharedConnectionHolder unit(CurrentTransaction current) {
        if (current.holder() instanceof SharedConnectionHolder shared && shared.deals(this)) {
            return shared;
        }
        if (current.isHeldBySuspended(counter())) {
            throw new SequenceException.Misconfigured(name(), """
                    a suspended transaction of this thread holds the counter, so this one cannot get it; draw in that \
                    one, outside the REQUIRES_NEW code""");
        }
        return null;
    }

    private Block draw(CurrentTransaction current, int count) {
        Connection connection = DataSourceUtils.getConnection(current.key());
        Block drawn;
        try {
            drawn = sequence.next(connection, count, timeLeft(current));
        } finally {
            DataSourceUtils.releaseConnection(connection, current.key());
        }
        current.holds(counter());
        timeLeft(current);
        return drawn;
    }

    /** Returns the time until the transaction's timeout. Throws if it has passed. */
    private static Duration timeLeft(CurrentTransaction current) {
        ConnectionHolder holder = current.holder();
        return Duration.ofMillis(holder.hasTimeout() ? holder.getTimeToLiveInMillis() : Long.MAX_VALUE);
    }

    @Override
    public String toString() {
        return "gapless numbers of '" + name() + "'";
    }
}
