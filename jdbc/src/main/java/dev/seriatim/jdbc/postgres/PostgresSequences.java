// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.jdbc.connection.Transactions;
import dev.seriatim.jdbc.natives.DrawnValues;
import dev.seriatim.jdbc.natives.NativeChange;
import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Sequences of PostgreSQL's own. A session deals from a cache, so each reservation begins by throwing that away: then its
 * values lie beyond all that were drawn before it, and a block of up to {@code cache} values is always one piece.
 */
record PostgresSequences() implements PostgresNative {

    /** Whoever asks for a lock keeps all others waiting behind it, so it is asked for in short turns. */
    private static final String LOCK_TIMEOUT = "SET LOCAL lock_timeout = '100ms'";

    @Override
    public String caveat() {
        return "values can repeat after a crash of the server";
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
    public DrawnValues draw(Connection connection, String name, long count, boolean first) throws SQLException {
        return PostgresDraw.draw(connection, name, count, first ? "DISCARD SEQUENCES; " : "");
    }

    /**
     * {@inheritDoc}
     *
     * <p>Under the sequence's lock, with which nobody can draw: nothing that was dealt can be dealt again. It is taken by
     * setting the cache to what it is, the most harmless of the statements that take it.
     */
    @Override
    public void change(Transactions transactions, String name, NativeChange change) {
        transactions.retrying(name, connection -> {
            // Else the definition would be read as of before the lock was had.
            run(connection, name, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
            run(connection, name, LOCK_TIMEOUT);
            String relation = PostgresSequenceSql.relation(connection, name);
            long cache = definition(connection, name).cache();
            run(connection, name, "ALTER SEQUENCE " + relation + " CACHE " + cache);
            SequenceState after = change.of(state(connection, name));
            // Without the counter where nothing is left: that state is one value further than can be written.
            String counter = after.usedUp() ? "" : " RESTART WITH " + after.nextValue();
            run(
                    connection,
                    name,
                    "ALTER SEQUENCE " + relation + PostgresSequenceSql.clauses(after.definition()) + counter);
            return name;
        });
    }
}
