// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.natives;

import dev.seriatim.SequenceException.Exhausted;
import dev.seriatim.store.SequenceStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * One reservation from a native sequence. It takes one statement, except near the end: there, a statement that asked
 * for more values than are left would fail and lose those it had drawn. So it draws one value, and further statements
 * look for the rest, halving the count each time too few are left.
 *
 * <p>Immutable and thread-safe.
 *
 * @param count number of values, at least 1, or {@link SequenceStore#CACHE}
 */
public record NativeDraw(NativeEngine engine, String name, long count) {

    /** Maximum number of values per reservation, because the server makes one call per value. */
    public static final long MOST = 1_000_000;

    /** Draws, running each statement in a transaction of its own. */
    public DrawnValues from(Connection connection) throws SQLException {
        DrawnValues drawn = first(connection);
        long wanted =
                Math.min(MOST, count == SequenceStore.CACHE ? drawn.definition().cache() : count);
        return drawn.total() < wanted ? nearTheEnd(connection, drawn, wanted) : drawn;
    }

    private DrawnValues first(Connection connection) throws SQLException {
        try {
            return engine.draw(connection, name, Math.min(MOST, count), true);
        } catch (SQLException e) {
            if (engine.exhausted(e)) {
                throw new Exhausted(engine.definition(connection, name));
            }
            throw e;
        }
    }

    private DrawnValues nearTheEnd(Connection connection, DrawnValues begun, long wanted) throws SQLException {
        DrawnValues drawn = begun;
        long ask = wanted / 2;
        while (drawn.block().count() < wanted && !drawn.reachesTheEnd()) {
            ask = Math.max(1, Math.min(ask, wanted - drawn.block().count()));
            Optional<DrawnValues> more = more(connection, ask);
            if (more.isEmpty() || !drawn.continuedBy(more.get())) {
                return drawn;
            }
            drawn = drawn.and(more.get());
            ask = more.get().total() < ask ? ask / 2 : ask;
        }
        return drawn;
    }

    private Optional<DrawnValues> more(Connection connection, long ask) throws SQLException {
        try {
            return Optional.of(engine.draw(connection, name, ask, false));
        } catch (SQLException e) {
            if (engine.exhausted(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
