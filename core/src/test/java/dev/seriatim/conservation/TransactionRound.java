// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import dev.seriatim.SequenceException;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.TransactionScope;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A round of a mode that draws in transactions, some of which are rolled back, fail, or lose the answer to their
 * commit.
 */
abstract class TransactionRound<T> extends Round<T> {

    /** An exception that a caller throws on purpose. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** The work in a transaction, or of a unit. */
    @FunctionalInterface
    interface Work {
        void in(TableAccount.Attempt attempt) throws Exception;
    }

    final SequenceState first;
    private final TableAccount account = new TableAccount();

    TransactionRound(Ground<T> ground, RandomChoices chance, boolean mayCycle) {
        super(ground, chance);
        first = create(definition(mayCycle));
    }

    /** One action consists of several draws, each of which may wait as long as its patience. */
    @Override
    final Duration longest() {
        return Duration.ofSeconds(20);
    }

    /** GROUPED must begin a transaction in half of the patience. */
    @Override
    final int shortest() {
        return Math.max(20, ground.leastPatience());
    }

    @Override
    final Duration patient() {
        return Duration.ofSeconds(1);
    }

    /** Returns why the stored numbers, in this order, are not what the counter has dealt; empty if they are. */
    abstract String course(List<Long> numbers, List<Changes.Change> changes) throws Exception;

    /** Runs one attempt, and records what its caller was told. */
    final void attempt(Work work) {
        @Nullable Throwable thrown = told(work);
        if (thrown instanceof SequenceException failure) {
            expected(failure);
        } else if (thrown instanceof RuntimeException
                && !(thrown instanceof IllegalStateException)
                && !(thrown instanceof UnsupportedOperationException)) {
            unexpected(thrown);
        }
        if (thrown != null) {
            var unused = Thread.interrupted();
        }
    }

    /** Runs one attempt that must succeed. */
    final void mustSucceed(Work work) throws Exception {
        Throwable thrown = told(work);
        if (thrown instanceof Error error) {
            throw error;
        } else if (thrown != null) {
            throw (Exception) thrown;
        }
    }

    private @Nullable Throwable told(Work work) {
        TableAccount.Attempt attempt = account.begin();
        try {
            work.in(attempt);
            attempt.told(TableAccount.Told.COMMITTED);
            return null;
        } catch (SequenceException.CommitOutcomeUnknown e) {
            attempt.told(TableAccount.Told.UNKNOWN);
            return e;
        } catch (Throwable e) {
            attempt.told(TableAccount.Told.NOT_COMMITTED);
            return e;
        }
    }

    /** Runs work in a separate transaction. */
    final Work inTransaction(TransactionScope<T> scope, InTransaction<T> work) {
        return attempt -> {
            var unused = scope.<Boolean, Exception>inTransaction(transaction -> {
                work.run(transaction, new Keeping<>(ground, transaction, attempt));
                return true;
            });
        };
    }

    /** The work in a transaction. */
    @FunctionalInterface
    interface InTransaction<T> {
        void run(T transaction, Keeping<T> keeping) throws Exception;
    }

    @Override
    final String account(Changes changes) throws Exception {
        List<StoredRow> kept = ground.kept();
        plan.append(", attempts ").append(account.size()).append(", kept ").append(kept.size());
        return account.fault(kept) + course(kept.stream().map(StoredRow::number).toList(), changes.made());
    }

    @Override
    String left() throws Exception {
        SequenceState now = now();
        return now.usedUp() ? "" : "the counter is at " + now;
    }

    final SequenceState now() {
        return ground.catalog().describe(name);
    }
}
