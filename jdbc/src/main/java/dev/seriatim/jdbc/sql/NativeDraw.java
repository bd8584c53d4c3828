// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
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
 * @param count number of values, at least 1, or {@link SequenceStore#CACHE}
 */
public record NativeDraw(NativeEngine engine, String name, long count) {

    /** Maximum number of values per reservation, because the server makes one call per value. */
    public static final long MOST = 1_000_000;

    /** Draws, running each statement in a transaction of its own. */
    public Drawn from(Connection connection) throws SQLException {
        Drawn drawn = first(connection);
        long wanted =
                Math.min(MOST, count == SequenceStore.CACHE ? drawn.definition().cache() : count);
        return drawn.total() < wanted ? nearTheEnd(connection, drawn, wanted) : drawn;
    }

    private Drawn first(Connection connection) throws SQLException {
        try {
            return engine.draw(connection, name, Math.min(MOST, count), true);
        } catch (SQLException e) {
            if (engine.exhausted(e)) {
                throw new Exhausted(engine.definition(connection, name));
            }
            throw e;
        }
    }

    private Drawn nearTheEnd(Connection connection, Drawn begun, long wanted) throws SQLException {
        Drawn drawn = begun;
        long ask = wanted / 2;
        while (drawn.block().count() < wanted && !drawn.reachesTheEnd()) {
            ask = Math.max(1, Math.min(ask, wanted - drawn.block().count()));
            Optional<Drawn> more = more(connection, ask);
            if (more.isEmpty() || !drawn.continuedBy(more.get())) {
                return drawn;
            }
            drawn = drawn.and(more.get());
            ask = more.get().total() < ask ? ask / 2 : ask;
        }
        return drawn;
    }

    private Optional<Drawn> more(Connection connection, long ask) throws SQLException {
        try {
            return Optional.of(engine.draw(connection, name, ask, false));
        } catch (SQLException e) {
            if (engine.exhausted(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * The result of one statement that drew from a native sequence.
     *
     * @param definition the definition of the sequence at that time
     * @param block the longest contiguous part of what was drawn; the rest is lost
     * @param total how many values were drawn
     */
    public record Drawn(SequenceDefinition definition, Block block, long total) {

        /** Returns whether this includes the last value, or the last before a cycle restarts. */
        boolean reachesTheEnd() {
            return definition.endsAt(block.last());
        }

        /** Returns whether the values drawn later directly follow these. */
        boolean continuedBy(Drawn later) {
            return later.block.increment() == block.increment()
                    && later.block.first() - block.increment() == block.last();
        }

        Drawn and(Drawn later) {
            long count = block.count() + later.block.count();
            return new Drawn(later.definition, new Block(block.first(), count, block.increment()), total + later.total);
        }
    }
}
