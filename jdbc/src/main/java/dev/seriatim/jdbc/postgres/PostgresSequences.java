// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.ClassifiedException;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.NativeDraw;
import dev.seriatim.jdbc.sql.NativeEngine;
import dev.seriatim.jdbc.sql.Sql;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Native PostgreSQL sequences. A session deals from a cache, so each reservation first discards it: then its values
 * are beyond all those drawn before, and a block of up to {@code cache} values is always contiguous.
 */
class PostgresSequences implements NativeEngine {

    private static final Set<String> REFUSED = Set.of("22023", "2BP01", "42809");

    /** The definition, in {@link #NAME} minus one columns, followed by the name as the server writes it. */
    private static final String COLUMNS =
            "d.seqstart, d.seqincrement, d.seqmin, d.seqmax, d.seqcycle, d.seqcache, CAST(d.seqrelid AS pg_catalog.regclass)";

    private static final int NAME = 7;
    private static final String FROM = " FROM pg_catalog.pg_sequence d ";

    /** Precedes the sequence's {@link Name#regclass}. */
    private static final String WHICH = "WHERE d.seqrelid " + PostgresFamily.ownOperator("=") + " ";

    private static final String EQUAL = PostgresFamily.ownOperator("=");
    private static final String IN_SCHEMA = "c.relnamespace " + EQUAL
            + " (SELECT n.oid FROM pg_catalog.pg_namespace n WHERE n.nspname " + EQUAL
            + " pg_catalog.current_schema())";
    private static final String NAMES = "SELECT c.relname" + FROM + "JOIN pg_catalog.pg_class c ON c.oid " + EQUAL
            + " d.seqrelid WHERE " + IN_SCHEMA
            + " AND pg_catalog.has_sequence_privilege(d.seqrelid, 'SELECT') ORDER BY c.relname";
    private static final String KIND =
            "SELECT c.relkind FROM pg_catalog.pg_class c WHERE c.relname " + EQUAL + " ? AND " + IN_SCHEMA;

    private static final Pattern BRACED = Pattern.compile("\\{([^}]+)}");

    private static final String ONE =
            "SELECT " + COLUMNS + ", pg_catalog.nextval(CAST(d.seqrelid AS pg_catalog.regclass)), 1" + FROM + WHICH;

    // Contiguous values have the same distance from their row number: grouping by it finds them, in arithmetic that is
    // exact at both ends of 64 bits.
    private static final String MANY = catalogued("SELECT " + COLUMNS + ", drawn.first, drawn.count"
                    + FROM
                    + "CROSS JOIN LATERAL (SELECT CASE WHEN d.seqincrement {>} 0 THEN {min}(x.v) ELSE {max}(x.v) END AS first,"
                    + " {count}(*) AS count FROM (SELECT i, {nextval}(CAST(d.seqrelid AS {regclass})) AS v"
                    + " FROM (SELECT CASE WHEN ? {=} 0 THEN least(d.seqcache, " + NativeDraw.MOST
                    + ") ELSE ? END AS wanted) w,"
                    + " {generate_series}(CAST(1 AS bigint),"
                    + " CASE WHEN CAST(w.wanted AS numeric) {*} {abs}(CAST(d.seqincrement AS numeric)) {<=}"
                    + " CASE WHEN d.seqincrement {>} 0"
                    + " THEN CAST(d.seqmax AS numeric) {-} {pg_sequence_last_value}(CAST(d.seqrelid AS {regclass}))"
                    + " ELSE CAST({pg_sequence_last_value}(CAST(d.seqrelid AS {regclass})) AS numeric) {-} d.seqmin END"
                    + " THEN w.wanted ELSE 1 END) AS i) x"
                    + " GROUP BY CAST(x.v AS numeric) {-} (CAST(x.i AS numeric) {*} d.seqincrement)) drawn ")
            + WHICH;

    /** A request for a lock blocks all later requests, so each attempt is short. */
    private static final String LOCK_TIMEOUT = "SET LOCAL lock_timeout = '100ms'";

    @Override
    public long defaultCache() {
        return 1;
    }

    @Override
    public NativeDraw.Drawn draw(Connection connection, String name, long count, boolean first) throws SQLException {
        return draw(connection, name, count, first ? "DISCARD SEQUENCES; " : "");
    }

    /** {@inheritDoc} Runs under the sequence's lock, which blocks draws. Setting the same cache takes that lock. */
    @Override
    public void change(Transactions transactions, String name, NativeEngine.Change change) {
        transactions.retrying(name, connection -> {
            // Otherwise the definition would be read as of before the lock was acquired.
            run(connection, name, PostgresFunctions.READ_COMMITTED);
            run(connection, name, LOCK_TIMEOUT);
            Found found = found(connection, name);
            run(
                    connection,
                    name,
                    "ALTER SEQUENCE " + found.relation() + " CACHE "
                            + found.definition().cache());
            SequenceState after = change.after().apply(state(connection, name));
            // Without the counter if no value is left: that state is one value beyond what can be written.
            String counter = after.usedUp() ? "" : " RESTART WITH " + after.nextValue();
            run(connection, name, "ALTER SEQUENCE " + found.relation() + clauses(after.definition()) + counter);
            return name;
        });
    }

    @Override
    public String rights() {
        return "to draw: GRANT USAGE ON SEQUENCE, to look: GRANT SELECT; only its owner may change it";
    }

    @Override
    public SequenceDefinition definition(Connection connection, String name) throws SQLException {
        return found(connection, name).definition();
    }

    @Override
    public SequenceState state(Connection connection, String name) throws SQLException {
        Found found = found(connection, name);
        // The sequence's own columns, because the catalogue cannot distinguish a value not yet drawn from one set by a
        // restart.
        String sql = "SELECT last_value, is_called FROM " + found.relation();
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return state(found.definition(), row.getLong(1), row.getBoolean(2));
        }
    }

    @Override
    public List<String> names(Connection connection) throws SQLException {
        return Sql.all(connection, NAMES);
    }

    @Override
    public void create(Connection connection, SequenceDefinition definition) throws SQLException {
        String name = definition.name();
        String quoted = Name.ofItsOwn(name);
        Optional<String> kind = Sql.read(connection, KIND, name);
        if (kind.isPresent()) {
            throw taken(name, kind.get(), null);
        }
        try {
            run(connection, name, "CREATE SEQUENCE " + quoted + clauses(definition));
        } catch (SQLException e) {
            // Another session was faster.
            throw "42P07".equals(e.getSQLState()) ? taken(name, "S", e) : e;
        }
    }

    @Override
    public void drop(Connection connection, String name) throws SQLException {
        String quoted = Name.ofItsOwn(name);
        definition(connection, name);
        run(connection, name, "DROP SEQUENCE " + quoted);
    }

    @Override
    public boolean refused(SQLException e) {
        return REFUSED.contains(String.valueOf(e.getSQLState()));
    }

    @Override
    public boolean exhausted(SQLException e) {
        return "2200H".equals(e.getSQLState());
    }

    /** Draws values, after a statement in the same round trip, which may be empty. */
    static NativeDraw.Drawn draw(Connection connection, String name, long count, String before) throws SQLException {
        Name parsed = Name.of(name);
        String sql = before + (count == 1 ? ONE : MANY) + parsed.regclass();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int place = 1;
            if (count != 1) {
                statement.setLong(place++, count);
                statement.setLong(place++, count);
            }
            parsed.bind(statement, place);
            boolean rows = statement.execute();
            while (!rows && statement.getUpdateCount() >= 0) {
                rows = statement.getMoreResults();
            }
            try (ResultSet piece = statement.getResultSet()) {
                return NativeEngine.longest(piece, name, NAME + 1);
            }
        } catch (SQLException e) {
            throw missing(e, name);
        }
    }

    static String clauses(SequenceDefinition definition) {
        return NativeEngine.numbers(definition) + (definition.cycle() ? " CYCLE" : " NO CYCLE");
    }

    /** A definition, and the sequence's name as the server writes it. */
    record Found(SequenceDefinition definition, String relation) {}

    static Found found(Connection connection, String name) throws SQLException {
        Name parsed = Name.of(name);
        String sql = "SELECT " + COLUMNS + FROM + WHICH + parsed.regclass();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            parsed.bind(statement, 1);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new ClassifiedException(Fault.MISSING_TABLE, "no sequence " + name);
                }
                return new Found(NativeEngine.definition(row, name), row.getString(NAME));
            }
        } catch (SQLException e) {
            throw missing(e, name);
        }
    }

    private static SequenceState state(SequenceDefinition definition, long last, boolean called) {
        boolean usedUp = called && definition.endsAt(last);
        long next = called && !usedUp ? last + definition.increment() : last;
        return new SequenceState(definition, next, usedUp, 0);
    }

    /** Classifies an exception about a missing sequence, table or column. */
    private static SQLException missing(SQLException e, String name) {
        boolean missing = "42P01".equals(e.getSQLState()) || "42703".equals(e.getSQLState());
        return missing ? new ClassifiedException(Fault.MISSING_TABLE, "no sequence " + name, e) : e;
    }

    private static SQLException taken(String name, String kind, @Nullable SQLException e) {
        if (kind.equals("S")) {
            return new ClassifiedException(Fault.DUPLICATE, "sequence already exists: " + name, e);
        }
        throw new Misconfigured(name, "a table, view or index of this name exists in the schema; choose another name");
    }

    private static String catalogued(String sql) {
        return BRACED.matcher(sql)
                .replaceAll(found -> Character.isLetter(found.group(1).charAt(0))
                        ? PostgresFamily.ownFunction(found.group(1))
                        : PostgresFamily.ownOperator(found.group(1)));
    }

    /**
     * The name of a sequence in PostgreSQL's family: its own, or TABLE.COLUMN for the sequence behind an identity column.
     *
     * @param sequence the sequence, or the table; a plain identifier
     * @param column the column, a plain identifier; empty for none
     */
    record Name(String sequence, String column) {

        static Name of(String name) {
            int dot = name.indexOf('.');
            return dot < 0
                    ? new Name(SequenceTable.identifier("sequence", name), "")
                    : new Name(
                            SequenceTable.identifier("table", name.substring(0, dot)),
                            SequenceTable.identifier("column", name.substring(dot + 1)));
        }

        /** Returns a name that may be created or dropped; refuses that of a column. */
        static String ofItsOwn(String name) {
            Name parsed = of(name);
            if (parsed.isColumn()) {
                throw new Misconfigured(
                        name,
                        "an identity column's sequence is created and dropped with the column (CREATE TABLE … GENERATED BY DEFAULT AS IDENTITY (CACHE 1)); name another sequence");
            }
            return parsed.quoted();
        }

        boolean isColumn() {
            return !column.isEmpty();
        }

        /** Returns the sequence's own name, or the table's, quoted. */
        String quoted() {
            return PostgresFamily.quoted(sequence);
        }

        /** Returns an expression for the sequence, null if it does not exist; {@link #bind} sets its parameters. */
        String regclass() {
            return isColumn()
                    ? "pg_catalog.to_regclass(pg_catalog.pg_get_serial_sequence(?, ?))"
                    : "pg_catalog.to_regclass(?)";
        }

        /** Sets the parameters of {@link #regclass}; returns the next parameter's index. */
        int bind(PreparedStatement statement, int place) throws SQLException {
            statement.setString(place, quoted());
            if (!isColumn()) {
                return place + 1;
            }
            statement.setString(place + 1, column);
            return place + 2;
        }
    }
}
