// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import dev.seriatim.GaplessSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceException;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.store.TransactionalSequence;
import java.sql.Connection;
import java.util.function.ToLongFunction;
import org.hibernate.engine.spi.SharedSessionContractImplementor;

/**
 * An open sequence. Thread-safe.
 *
 * @param name the sequence's name in its store
 * @param numbers draws a number for a session
 */
record NumberSource(String name, ToLongFunction<SharedSessionContractImplementor> numbers) {

    /** Opens a sequence as requested, under its own name or a tenant's. */
    static NumberSource open(JdbcSequences sequences, SequenceRequest request, String name) {
        if (request.guarantee() == Guarantee.GAPLESS) {
            GaplessSequence<Connection> gapless = sequences.gapless(name);
            return new NumberSource(name, session -> inTransaction(session, gapless));
        }
        Sequence sequence = outside(sequences, request, name);
        if (!sequences.store().hasOneWriter()) {
            return new NumberSource(name, session -> sequence.next());
        }
        // Outside, a draw would wait for the transaction to end, whose thread waits for the draw.
        TransactionalSequence<Connection> within = TransactionalSequence.of(sequences.store(), name);
        return new NumberSource(
                name,
                session -> session.isTransactionInProgress() ? session.doReturningWork(within::next) : sequence.next());
    }

    private static Sequence outside(JdbcSequences sequences, SequenceRequest request, String name) {
        if (request.mode() != null) {
            return sequences.open(name, request.mode());
        }
        return request.guarantee() == Guarantee.ORDERED ? sequences.ordered(name) : sequences.unique(name);
    }

    /**
     * A sequence where one transaction at a time writes. The first draw creates it, like another one, in the session's
     * transaction: from outside, it would wait for that one to end.
     */
    static NumberSource created(JdbcStore store, String name, String like) {
        TransactionalSequence<Connection> within = TransactionalSequence.of(store, name);
        return new NumberSource(name, session -> {
            checkTransaction(session, name);
            return session.doReturningWork(connection -> {
                try {
                    return within.next(connection);
                } catch (SequenceException.NotFound missing) {
                    store.create(connection, name, like);
                    return within.next(connection);
                }
            });
        });
    }

    private static long inTransaction(SharedSessionContractImplementor session, GaplessSequence<Connection> gapless) {
        checkTransaction(session, gapless.name());
        return session.doReturningWork(gapless::next);
    }

    private static void checkTransaction(SharedSessionContractImplementor session, String name) {
        // Hibernate's own pool lends connections without auto-commit, and keeps what no transaction has ended.
        if (!session.isTransactionInProgress()) {
            throw new SequenceException.Misconfigured(
                    name, "gapless numbers are drawn in a transaction, and the session has none; begin one first");
        }
    }

    long next(SharedSessionContractImplementor session) {
        return numbers.applyAsLong(session);
    }
}
