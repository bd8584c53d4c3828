// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.ClassifiedException;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.NativeDraw;
import dev.seriatim.jdbc.sql.NativeEngine;
import dev.seriatim.jdbc.sql.Sql;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.store.SequenceTable;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Native MariaDB sequences of any type. The server deals from a cache that all sessions share, and reports the cache's end, not
 * the last value dealt. Values end one before the type's limit. Sequences with a bound above the signed 64-bit limit are refused.
 */
record MariaDbSequences() implements NativeEngine {

    private static final Set<Integer> REFUSED = Set.of(4085);
    private static final Set<Integer> MISSING = Set.of(1054, 1146, 4089, 4090, 4091);
    private static final int TAKEN = 1050;
    private static final int EXHAUSTED = 4084;

    static final String COLUMNS =
            "d.start_value, d.increment, d.minimum_value, d.maximum_value, d.cycle_option, d.cache_size";

    /** Without a row, the server deals no value. */
    private static final String SUITABLE = " d.maximum_value <= " + Long.MAX_VALUE + " AND d.increment <> 0";

    private static final BigDecimal GREATEST = BigDecimal.valueOf(Long.MAX_VALUE);

    private static final String NAMES = "SELECT TABLE_NAME FROM information_schema.TABLES"
            + " WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'SEQUENCE' ORDER BY TABLE_NAME";
    private static final String KIND =
            "SELECT TABLE_TYPE FROM information_schema.TABLES" + " WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?";
    private static final String TYPE = "SELECT COLUMN_TYPE FROM information_schema.COLUMNS"
            + " WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND COLUMN_NAME = 'maximum_value'";

    @Override
    public String rights() {
        return "to draw: GRANT SELECT, INSERT on the sequence; to change it: ALTER";
    }

    @Override
    public long defaultCache() {
        return 1000;
    }

    @Override
    public SequenceState state(Connection connection, String name) throws SQLException {
        String sql = "SELECT " + COLUMNS + ", d.next_not_cached_value FROM " + quoted(name) + " d";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            BigDecimal next = row.getBigDecimal(7);
            checkMax(row.getBigDecimal(4), row.getBigDecimal(1).max(next), name);
            SequenceDefinition definition = NativeEngine.definition(row, name);
            long last = definition.ascending() ? definition.max() : definition.min();
            boolean usedUp = next.compareTo(BigDecimal.valueOf(definition.max())) > 0
                    || next.compareTo(BigDecimal.valueOf(definition.min())) < 0;
            return new SequenceState(definition, usedUp ? last : next.longValueExact(), usedUp, 0);
        } catch (SQLException e) {
            throw missing(e, name);
        }
    }

    private static void checkMax(BigDecimal max, BigDecimal used, String name) {
        if (max.compareTo(GREATEST) > 0) {
            throw new Misconfigured(
                    name,
                    "its maximum value " + max + " is above the highest number, " + GREATEST
                            + (used.compareTo(GREATEST) > 0
                                    ? "; draw from it in SQL"
                                    : "; ALTER SEQUENCE " + quoted(name) + " MAXVALUE " + GREATEST));
        }
    }

    @Override
    public List<String> names(Connection connection) throws SQLException {
        return Sql.all(connection, NAMES);
    }

    @Override
    public NativeDraw.Drawn draw(Connection connection, String name, long count, boolean first) throws SQLException {
        long wanted = count == SequenceStore.CACHE
                ? Math.min(NativeDraw.MOST, definition(connection, name).cache())
                : count;
        try (Statement statement = connection.createStatement();
                ResultSet piece = statement.executeQuery(wanted == 1 ? one(name) : many(name, wanted))) {
            return NativeEngine.longest(piece, name, 7);
        } catch (ClassifiedException none) {
            state(connection, name); // throws the reason
            throw none;
        } catch (SQLException e) {
            throw missing(e, name);
        }
    }

    @Override
    public boolean exhausted(SQLException e) {
        return e.getErrorCode() == EXHAUSTED;
    }

    @Override
    public void create(Connection connection, SequenceDefinition definition) throws SQLException {
        String name = definition.name();
        try {
            String clauses = clauses(Type.of("bigint").hold(definition));
            run(connection, name, "CREATE SEQUENCE " + quoted(name) + clauses + " ENGINE = InnoDB");
        } catch (SQLException e) {
            if (e.getErrorCode() != TAKEN) {
                throw e;
            }
            if (Sql.read(connection, KIND, name).orElse("SEQUENCE").equals("SEQUENCE")) {
                throw new ClassifiedException(Fault.DUPLICATE, "sequence already exists: " + name, e);
            }
            throw new Misconfigured(name, "a table or view of this name exists; choose another name");
        }
    }

    /** {@inheritDoc} Each change is one atomic statement; a raise never moves the counter back. */
    @Override
    public void change(Transactions transactions, String name, NativeEngine.Change change) {
        SequenceState after = change.after().apply(transactions.reading(name, connection -> state(connection, name)));
        String quoted = quoted(name);
        String sql = switch (change.kind()) {
            case RAISE -> "SELECT SETVAL(" + quoted + ", " + change.value() + ", 0)";
            case RESTART -> "ALTER SEQUENCE " + quoted + " RESTART WITH " + after.nextValue();
            case ALTER -> {
                String type = transactions.reading(
                        name, connection -> Sql.read(connection, TYPE, name).orElse("bigint"));
                yield "ALTER SEQUENCE " + quoted + clauses(Type.of(type).hold(after.definition()));
            }
        };
        transactions.alone(name, connection -> {
            run(connection, name, sql);
            return name;
        });
    }

    @Override
    public void drop(Connection connection, String name) throws SQLException {
        try {
            run(connection, name, "DROP SEQUENCE " + quoted(name));
        } catch (SQLException e) {
            throw missing(e, name);
        }
    }

    @Override
    public boolean refused(SQLException e) {
        return REFUSED.contains(e.getErrorCode());
    }

    private static String clauses(SequenceDefinition definition) {
        return NativeEngine.numbers(definition) + (definition.cycle() ? " CYCLE" : " NOCYCLE");
    }

    static String quoted(String name) {
        return MySqlFamily.quoted(SequenceTable.identifier("sequence", name));
    }

    private static SQLException missing(SQLException e, String name) {
        return MISSING.contains(e.getErrorCode())
                ? new ClassifiedException(Fault.MISSING_TABLE, "no sequence " + name, e)
                : e;
    }

    private static String one(String name) {
        String quoted = quoted(name);
        return "SELECT " + COLUMNS + ", NEXT VALUE FOR " + quoted + ", 1 FROM " + quoted + " d WHERE" + SUITABLE;
    }

    // The limit keeps the inner query separate, so that each value is drawn once. Contiguous values have the same
    // distance from their row number: grouping by it finds them, in arithmetic that is exact at both ends of 64 bits.
    private static String many(String name, long count) {
        String quoted = quoted(name);
        return "SET STATEMENT max_recursive_iterations = " + NativeDraw.MOST + " FOR SELECT " + COLUMNS
                + ", IF(d.increment > 0, MIN(v), MAX(v)), COUNT(*) FROM (WITH RECURSIVE c (i) AS"
                + " (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < " + count + ") SELECT " + COLUMNS
                + ", c.i, NEXT VALUE FOR " + quoted + " AS v FROM " + quoted + " d JOIN c ON c.i = 1 OR CASE"
                + " WHEN d.increment > 0 THEN CAST(d.maximum_value AS DECIMAL(40)) - d.next_not_cached_value"
                + " ELSE CAST(d.next_not_cached_value AS DECIMAL(40)) - d.minimum_value END"
                + " >= ABS(CAST(d.increment AS DECIMAL(40))) * " + (count - 1) + " WHERE" + SUITABLE + " LIMIT "
                + NativeDraw.MOST
                + ") d GROUP BY " + COLUMNS
                + ", CAST(v AS DECIMAL(40)) - CAST(i AS DECIMAL(20)) * increment";
    }

    /** The type of a sequence, with the least and greatest value, or those within 64 bits. */
    private record Type(String name, long min, long max) {

        private static final Map<String, Integer> BITS =
                Map.of("tinyint", 8, "smallint", 16, "mediumint", 24, "int", 32);

        /** Returns a type by its name, such as {@code tinyint(3) unsigned}. */
        static Type of(String name) {
            boolean unsigned = name.endsWith("unsigned");
            int bits = BITS.getOrDefault(name.replaceFirst("\\W.*", ""), 64);
            long max = unsigned && bits == 64 ? Long.MAX_VALUE : (1L << (unsigned ? bits : bits - 1)) - 2;
            return new Type(name, unsigned ? 1 : -1 - max, max);
        }

        /** Returns a definition whose defaults of SQL are the type's; refuses other bounds that the server would clip. */
        SequenceDefinition hold(SequenceDefinition wanted) {
            long low = wanted.min() == Long.MIN_VALUE ? min : wanted.min();
            long high = wanted.max() == Long.MAX_VALUE ? max : wanted.max();
            if (low < min || high > max) {
                throw new Misconfigured(
                        wanted.name(),
                        "its type %s holds %s to %s; choose bounds inside, or first ALTER SEQUENCE %s AS BIGINT"
                                .formatted(name.replaceFirst("[(]\\d+[)]", ""), min, max, quoted(wanted.name())));
            }
            return wanted.toBuilder().minValue(low).maxValue(high).build();
        }
    }
}
