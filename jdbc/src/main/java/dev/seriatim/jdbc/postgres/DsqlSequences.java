// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.NativeDraw;
import dev.seriatim.jdbc.sql.NativeEngine;
import dev.seriatim.jdbc.sql.NativeEngine.Change.Kind;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Native Aurora DSQL sequences. With a cache of 1, the cluster coordinates every value. A larger cache is at least
 * 65536, and then each of the cluster's processors deals from its own range: values are unique but unordered, even in
 * one session. There are no locks, so a change takes one statement.
 */
final class DsqlSequences extends PostgresSequences {

    private static final long LEAST_CACHE = 65536;

    @Override
    public String caveat() {
        return "as the vendor documents; unordered with a cache of 65536 or more";
    }

    @Override
    public long defaultCache() {
        return LEAST_CACHE;
    }

    @Override
    public SequenceDefinition held(SequenceDefinition wanted) {
        if (wanted.cache() != 1 && wanted.cache() < LEAST_CACHE) {
            throw new Misconfigured(wanted.name(), """
                    Aurora DSQL accepts a cache of 1 (dense, slow for many callers) or of at least %s (fast, with \
                    gaps and out of order), not %s; choose one of the two""".formatted(LEAST_CACHE, wanted.cache()));
        }
        return wanted;
    }

    @Override
    public boolean goesBack(SequenceDefinition definition) {
        return definition.cycle() || definition.cache() > 1;
    }

    @Override
    public NativeDraw.Drawn draw(Connection connection, String name, long count, boolean first) throws SQLException {
        return draw(connection, name, count, "");
    }

    @Override
    public void change(Transactions transactions, String name, NativeEngine.Change change) {
        if (change.kind() == Kind.RAISE) {
            throw new Misconfigured(
                    name,
                    "Aurora DSQL cannot raise a sequence while other sessions may draw; stop them and use restart");
        }
        SequenceState after = change.after().apply(transactions.reading(name, connection -> state(connection, name)));
        String what =
                change.kind() == Kind.RESTART ? " RESTART WITH " + after.nextValue() : clauses(after.definition());
        transactions.alone(name, connection -> {
            run(connection, name, "ALTER SEQUENCE " + found(connection, name).relation() + what);
            return name;
        });
    }
}
