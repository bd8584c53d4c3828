// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Implements native sequences for one engine. If no sequence has the given name, every method throws {@link
 * ClassifiedException} with {@link Fault#MISSING_TABLE}. Implementations are immutable and thread-safe.
 */
public interface NativeEngine {

    /** Returns what the sequences do not guarantee, in a few words, for display. */
    default String caveat() {
        return "values can repeat after a server crash";
    }

    /** Returns the required privileges, in one line, for display. */
    String rights();

    /** Returns the block size of a sequence that is defined without one. */
    long defaultCache();

    /** Returns a definition as the engine stores it; refuses one that it cannot store. */
    default SequenceDefinition held(SequenceDefinition wanted) {
        return wanted;
    }

    /** Returns whether lower values may follow higher ones even if the sequence was not set back. */
    default boolean goesBack(SequenceDefinition definition) {
        return definition.cycle();
    }

    /** Reads the definition of a sequence; needs only the privileges for drawing. */
    default SequenceDefinition definition(Connection connection, String name) throws SQLException {
        return state(connection, name).definition();
    }

    SequenceState state(Connection connection, String name) throws SQLException;

    List<String> names(Connection connection) throws SQLException;

    /**
     * Draws {@code count} values, or only one if the sequence seems to have fewer left.
     *
     * @param count at least 1, or {@link dev.seriatim.store.SequenceStore#CACHE}; at most {@link NativeDraw#MOST} are
     *     drawn
     * @param first whether this begins a reservation, or continues one on the same connection
     */
    NativeDraw.Drawn draw(Connection connection, String name, long count, boolean first) throws SQLException;

    /** Returns whether a failure to draw means that no value is left. */
    boolean exhausted(SQLException e);

    /** Creates a sequence, in the connection's transaction if it has one, otherwise in a transaction of its own. */
    void create(Connection connection, SequenceDefinition definition) throws SQLException;

    void change(Transactions transactions, String name, Change change);

    /** Drops a sequence, in the connection's transaction if it has one, otherwise in a transaction of its own. */
    void drop(Connection connection, String name) throws SQLException;

    /**
     * Returns whether a failure to create or change a sequence means that the engine cannot store what was requested.
     */
    boolean refused(SQLException e);

    /** Runs a statement; refuses what the engine cannot store. */
    default void run(Connection connection, String name, String sql) throws SQLException {
        try {
            Sql.execute(connection, sql);
        } catch (SQLException e) {
            if (refused(e)) {
                throw new Misconfigured(
                        name, "the database rejects this (" + SqlFailures.oneLine(e) + "); choose other values");
            }
            throw e;
        }
    }

    /** Reads a definition from the first six columns of a row; an engine may report 0 for no cache. */
    static SequenceDefinition definition(ResultSet row, String name) throws SQLException {
        return new SequenceDefinition(
                name,
                row.getLong(1),
                row.getLong(2),
                row.getLong(3),
                row.getLong(4),
                row.getBoolean(5),
                Math.max(1, row.getLong(6)));
    }

    /**
     * Returns the longest of the pieces that a statement drew. Each row has the definition, and from a column on the piece's
     * first value and count.
     */
    static NativeDraw.Drawn longest(ResultSet piece, String name, int column) throws SQLException {
        long first = 0;
        long count = 0;
        long total = 0;
        SequenceDefinition definition = null;
        while (piece.next()) {
            definition = definition == null ? definition(piece, name) : definition;
            total += piece.getLong(column + 1);
            if (piece.getLong(column + 1) > count) {
                first = piece.getLong(column);
                count = piece.getLong(column + 1);
            }
        }
        if (definition == null) {
            throw new ClassifiedException(Fault.MISSING_TABLE, "no sequence " + name);
        }
        return new NativeDraw.Drawn(definition, new Block(first, count, definition.increment()), total);
    }

    /** Returns a definition's SQL clauses except for the cycle; they contain only numbers. */
    static String numbers(SequenceDefinition definition) {
        return " INCREMENT BY " + definition.increment() + " MINVALUE " + definition.min() + " MAXVALUE "
                + definition.max() + " START WITH " + definition.start() + " CACHE " + definition.cache();
    }

    /** Returns the refusal of a server whose sequences are unsuitable. */
    static Misconfigured unsuitable(String why) {
        return new Misconfigured(why + "; use the counter row (a JdbcStore, or a URL without seriatim.sequences)");
    }

    /** What a dialect with native sequences also implements. */
    interface Support {

        /** Returns the implementation for this server; refuses a server whose sequences are unsuitable. */
        NativeEngine nativeSequences(Connection connection) throws SQLException;
    }

    /**
     * A change of a sequence.
     *
     * @param value to which it is raised or restarted; 0 if its definition changes
     * @param after returns the state after the change; refuses an impossible one
     */
    record Change(Kind kind, long value, UnaryOperator<SequenceState> after) {

        public enum Kind {
            ALTER,
            RAISE,
            RESTART
        }
    }
}
