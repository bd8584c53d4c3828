// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.jdbc.sql.NativeDraw;
import dev.seriatim.jdbc.sql.NativeEngine;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Native PostgreSQL sequences. A session deals from a cache, so each reservation first discards it: then its values
 * are beyond all those drawn before, and a block of up to {@code cache} values is always contiguous.
 */
record PostgresSequences() implements PostgresNative {

    /** A request for a lock blocks all later requests, so each attempt is short. */
    private static final String LOCK_TIMEOUT = "SET LOCAL lock_timeout = '100ms'";

    @Override
    public String caveat() {
        return "values can repeat after a server crash";
    }

    @Override
    public long defaultCache() {
        return 1;
    }

    @Override
    public SequenceDefinition held(SequenceDefinition wanted) {
        return wanted;
    }

    @Override
    public boolean goesBack(SequenceDefinition definition) {
        return definition.cycle();
    }

    @Override
    public NativeDraw.Drawn draw(Connection connection, String name, long count, boolean first) throws SQLException {
        return PostgresNative.draw(connection, name, count, first ? "DISCARD SEQUENCES; " : "");
    }

    /** {@inheritDoc} Runs under the sequence's lock, which blocks draws. Setting the same cache takes that lock. */
    @Override
    public void change(Transactions transactions, String name, NativeEngine.Change change) {
        transactions.retrying(name, connection -> {
            // Otherwise the definition would be read as of before the lock was acquired.
            run(connection, name, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
            run(connection, name, LOCK_TIMEOUT);
            String relation = PostgresNative.relation(connection, name);
            long cache = definition(connection, name).cache();
            run(connection, name, "ALTER SEQUENCE " + relation + " CACHE " + cache);
            SequenceState after = change.of(state(connection, name));
            // Without the counter if no value is left: that state is one value beyond what can be written.
            String counter = after.usedUp() ? "" : " RESTART WITH " + after.nextValue();
            run(connection, name, "ALTER SEQUENCE " + relation + PostgresNative.clauses(after.definition()) + counter);
            return name;
        });
    }
}
