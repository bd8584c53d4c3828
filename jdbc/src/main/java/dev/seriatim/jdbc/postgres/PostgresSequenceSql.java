// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.dialect.ClassifiedException;
import dev.seriatim.jdbc.dialect.Fault;
import dev.seriatim.jdbc.dialect.Settings;
import dev.seriatim.jdbc.natives.NativeEngine;
import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The SQL of PostgreSQL's family for native sequences, except for drawing, which is in {@link PostgresDraw}. */
final class PostgresSequenceSql {

    private static final Set<String> REFUSED = Set.of("22023", "2BP01", "42809");

    /** The definition, in {@link #NAME} minus one columns, followed by the name as the server writes it. */
    static final String COLUMNS =
            "d.seqstart, d.seqincrement, d.seqmin, d.seqmax, d.seqcycle, d.seqcache, CAST(d.seqrelid AS pg_catalog.regclass)";
    /** The index of the name's column. */
    static final int NAME = 7;
    /** The catalogue of sequences. */
    static final String FROM = " FROM pg_catalog.pg_sequence d ";

    /** Precedes the sequence's {@link NativeName#regclass}. */
    static final String WHICH = "WHERE d.seqrelid " + PostgresFamily.ownOperator("=") + " ";

    private static final String EQUAL = PostgresFamily.ownOperator("=");
    private static final String IN_SCHEMA = "c.relnamespace " + EQUAL
            + " (SELECT n.oid FROM pg_catalog.pg_namespace n WHERE n.nspname " + EQUAL
            + " pg_catalog.current_schema())";
    private static final String NAMES = "SELECT c.relname" + FROM + "JOIN pg_catalog.pg_class c ON c.oid " + EQUAL
            + " d.seqrelid WHERE " + IN_SCHEMA
            + " AND pg_catalog.has_sequence_privilege(d.seqrelid, 'SELECT') ORDER BY c.relname";
    private static final String KIND =
            "SELECT c.relkind FROM pg_catalog.pg_class c WHERE c.relname " + EQUAL + " ? AND " + IN_SCHEMA;

    private PostgresSequenceSql() {}

    static SequenceDefinition definition(Connection connection, String name) throws SQLException {
        return found(connection, name).definition();
    }

    static SequenceState state(Connection connection, String name) throws SQLException {
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

    static List<String> names(Connection connection) throws SQLException {
        List<String> names = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(NAMES);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                names.add(row.getString(1));
            }
        }
        return names;
    }

    /** Returns the name as the server writes it. */
    static String relation(Connection connection, String name) throws SQLException {
        return found(connection, name).relation();
    }

    /** Returns a definition's SQL clauses. */
    static String clauses(SequenceDefinition definition) {
        return NativeEngine.numbers(definition) + (definition.cycle() ? " CYCLE" : " NO CYCLE");
    }

    static void create(NativeEngine engine, Connection connection, SequenceDefinition definition) throws SQLException {
        String name = definition.name();
        String quoted = NativeName.ofItsOwn(name);
        Optional<String> kind = Settings.read(connection, KIND, name);
        if (kind.isPresent()) {
            throw taken(name, kind.get(), null);
        }
        try {
            engine.run(connection, name, "CREATE SEQUENCE " + quoted + clauses(definition));
        } catch (SQLException e) {
            // Another session was faster.
            throw "42P07".equals(e.getSQLState()) ? taken(name, "S", e) : e;
        }
    }

    static void drop(NativeEngine engine, Connection connection, String name) throws SQLException {
        String quoted = NativeName.ofItsOwn(name);
        definition(connection, name);
        engine.run(connection, name, "DROP SEQUENCE " + quoted);
    }

    static boolean refused(SQLException e) {
        return REFUSED.contains(String.valueOf(e.getSQLState()));
    }

    private record Found(SequenceDefinition definition, String relation) {}

    private static Found found(Connection connection, String name) throws SQLException {
        NativeName parsed = NativeName.of(name);
        String sql = "SELECT " + COLUMNS + FROM + WHICH + parsed.regclass();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            parsed.bind(statement, 1);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new ClassifiedException(Fault.MISSING_TABLE, "no sequence " + name);
                }
                return new Found(NativeEngine.told(row, name), row.getString(NAME));
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

    /**
     * Classifies an exception about a missing object, which may also be the table of an identity column, or the
     * column.
     */
    static SQLException missing(SQLException e, String name) {
        boolean missing = "42P01".equals(e.getSQLState()) || "42703".equals(e.getSQLState());
        return missing ? new ClassifiedException(Fault.MISSING_TABLE, "no sequence " + name, e) : e;
    }

    private static SQLException taken(String name, String kind, @Nullable SQLException e) {
        if (kind.equals("S")) {
            return new ClassifiedException(Fault.DUPLICATE, "sequence already exists: " + name, e);
        }
        throw new Misconfigured(name, "a table, view or index of this name exists in the schema; choose another name");
    }
}
