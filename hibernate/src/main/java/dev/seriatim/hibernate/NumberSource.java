// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import dev.seriatim.GaplessSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceException;
import dev.seriatim.jdbc.JdbcSequences;
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

    static NumberSource open(JdbcSequences sequences, String name, Guarantee guarantee) {
        if (guarantee == Guarantee.GAPLESS) {
            GaplessSequence<Connection> gapless = sequences.gapless(name);
            return new NumberSource(name, session -> inTransaction(session, gapless));
        }
        Sequence sequence = guarantee == Guarantee.ORDERED ? sequences.ordered(name) : sequences.unique(name);
        if (!sequences.store().hasOneWriter()) {
            return new NumberSource(name, session -> sequence.next());
        }
        // Outside, a draw would wait for the transaction to end, whose thread waits for the draw.
        GaplessSequence<Connection> within = sequences.gapless(name);
        return new NumberSource(
                name,
                session -> session.isTransactionInProgress() ? session.doReturningWork(within::next) : sequence.next());
    }

    private static long inTransaction(SharedSessionContractImplementor session, GaplessSequence<Connection> gapless) {
        // Hibernate's own pool lends connections without auto-commit, and keeps what no transaction has ended.
        if (!session.isTransactionInProgress()) {
            throw new SequenceException.Misconfigured(
                    gapless.name(),
                    "gapless numbers are drawn in a transaction, and the session has none; begin one first");
        }
        return session.doReturningWork(gapless::next);
    }

    long next(SharedSessionContractImplementor session) {
        return numbers.applyAsLong(session);
    }
}
