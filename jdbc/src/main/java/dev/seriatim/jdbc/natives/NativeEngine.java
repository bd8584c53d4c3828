// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.natives;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.connection.Transactions;
import dev.seriatim.jdbc.dialect.ClassifiedException;
import dev.seriatim.jdbc.dialect.Fault;
import dev.seriatim.jdbc.failure.SqlFailures;
import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * What one engine does with sequences of its own. Where there is no sequence of a name, every method throws {@link ClassifiedException}
 * with {@link Fault#MISSING_TABLE}.
 *
 * <p>Implementations are immutable and thread-safe.
 */
public interface NativeEngine {

    /** What such sequences do not promise, for people: a few words. */
    String caveat();

    /** The rights that are needed, for people: one line. */
    String rights();

    /** The block size of a sequence that is defined without one. */
    long defaultCache();

    /**
     * A definition as the engine can hold it.
     *
     * @throws Misconfigured when it cannot
     */
    SequenceDefinition held(SequenceDefinition wanted);

    /** Whether values of such a sequence may follow higher ones although nobody has set it back. */
    boolean goesBack(SequenceDefinition definition);

    /** What a sequence is; needs no more rights than drawing does. */
    SequenceDefinition definition(Connection connection, String name) throws SQLException;

    /** How a sequence stands. */
    SequenceState state(Connection connection, String name) throws SQLException;

    /** The names of those that there are, in order. */
    List<String> names(Connection connection) throws SQLException;

    /**
     * Draws {@code count} values; only one when the sequence seems to have fewer left.
     *
     * @param count at least 1, or {@link dev.seriatim.store.SequenceStore#CACHE}; never more than {@link NativeDraw#MOST} are
     *     drawn
     * @param first whether this begins a reservation, or goes on with one on the same connection
     */
    DrawnValues draw(Connection connection, String name, long count, boolean first) throws SQLException;

    /** Whether a failure to draw says that no value is left. */
    boolean exhausted(SQLException e);

    /** Creates one in the transaction that the connection has, or in one of its own. */
    void create(Connection connection, SequenceDefinition definition) throws SQLException;

    /** Changes one, in transactions of its own. */
    void change(Transactions transactions, String name, NativeChange change);

    /** Removes one in the transaction that the connection has, or in one of its own. */
    void drop(Connection connection, String name) throws SQLException;

    /** Whether a failure to create or change says that the engine cannot hold what was asked for. */
    boolean refused(SQLException e);

    /**
     * Runs one statement.
     *
     * @throws Misconfigured when the engine refuses what it asks for
     */
    default void run(Connection connection, String name, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            if (refused(e)) {
                throw new Misconfigured(
                        name, "the database refuses that (" + SqlFailures.oneLine(e) + "); ask for other values");
            }
            throw e;
        }
    }

    /** A definition as the first six columns of a row tell it; an engine may say 0 for no cache. */
    static SequenceDefinition told(ResultSet row, String name) throws SQLException {
        return new SequenceDefinition(
                name,
                row.getLong(1),
                row.getLong(2),
                row.getLong(3),
                row.getLong(4),
                row.getBoolean(5),
                Math.max(1, row.getLong(6)));
    }

    /** A definition in SQL's words, but for the cycle; nothing in it but numbers. */
    static String numbers(SequenceDefinition definition) {
        return " INCREMENT BY " + definition.increment() + " MINVALUE " + definition.min() + " MAXVALUE "
                + definition.max() + " START WITH " + definition.start() + " CACHE " + definition.cache();
    }
}
