// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import dev.seriatim.doctor.inventory.PostgresColumns.ColumnRow;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a PostgreSQL database. Needs no right but to connect: what this user may not read is reported as skipped.
 *
 * <p>Each read is a short read-only transaction. Its limits end with it: behind a pooler such as PgBouncer, the server's session goes
 * on to serve another client. Locks on tables and sequences are shared with all statements but those that change a table's definition.
 */
final class PostgresCatalog extends EngineCatalog {

    /** A sequence without its next number and its columns, with the role that owns it and this user's rights. */
    record SequenceRow(
            long oid, long role, boolean unlogged, boolean readable, boolean usable, NumberSource definition) {

        ObjectName name() {
            return definition.name();
        }

        @Override
        public String toString() {
            return "sequence " + name();
        }
    }

    /** While a statement waits for one lock, it blocks changes of all tables that it has locked already. */
    private static final Duration WAIT_OF_MANY = Duration.ofMillis(200);

    /** Operators written with blanks around them; none occurs in a literal of these statements. */
    private static final Pattern OPERATOR = Pattern.compile("(?<=\\s)(=|<>|>|<|>=|\\|\\|)(?=\\s)");

    static final String OURS = " c.relpersistence <> 't'::pg_catalog.\"char\""
            + " AND n.nspname <> 'information_schema'::pg_catalog.name"
            + " AND n.nspname <> 'pg_catalog'::pg_catalog.name";

    private static final String SEQUENCES = qualified("""
            SELECT c.oid, n.nspname, c.relname, s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcycle, s.seqcache,
              c.relpersistence = 'u'::pg_catalog."char",
              pg_catalog.has_schema_privilege(n.oid, 'USAGE'::pg_catalog.text)
                AND pg_catalog.has_sequence_privilege(c.oid, 'SELECT'::pg_catalog.text),
              pg_catalog.has_sequence_privilege(c.oid, 'USAGE'::pg_catalog.text),
              tn.nspname, t.relname, a.attname, d.deptype = 'i'::pg_catalog."char", c.relowner
            FROM pg_catalog.pg_sequence s
              JOIN pg_catalog.pg_class c ON c.oid = s.seqrelid
              JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
              LEFT JOIN (pg_catalog.pg_depend d
                JOIN pg_catalog.pg_class t ON t.oid = d.refobjid
                JOIN pg_catalog.pg_namespace tn ON tn.oid = t.relnamespace
                JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid)
              ON d.classid = 1259::pg_catalog.oid AND d.objid = c.oid AND d.refclassid = 1259::pg_catalog.oid
                AND d.refobjsubid > 0
                AND (d.deptype = 'a'::pg_catalog."char" OR d.deptype = 'i'::pg_catalog."char")
            WHERE\
            """ + OURS + " ORDER BY n.nspname, c.relname");

    private static final String TABLES = qualified("""
            SELECT n.nspname, c.relname FROM pg_catalog.pg_class c
              JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind <> 'S'::pg_catalog."char" AND c.relkind <> 'i'::pg_catalog."char" AND\
            """ + OURS);

    /** None if a publication has all sequences, as it can from PostgreSQL 19 on. */
    static final String PUBLISHED = qualified("""
            SELECT p.pubname, c.oid FROM pg_catalog.pg_publication_tables p
              JOIN pg_catalog.pg_namespace n ON n.nspname = p.schemaname
              JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = p.tablename
            WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_publication s WHERE pg_catalog.jsonb_extract_path_text(
              pg_catalog.to_jsonb(s), 'puballsequences'::pg_catalog.text) = 'true'::pg_catalog.text)
            ORDER BY p.pubname""");

    private static final String UNLOGGED = qualified("""
            SELECT c.relname FROM pg_catalog.pg_class c
            WHERE c.oid = pg_catalog.to_regclass(?)::pg_catalog.oid AND c.relpersistence = 'u'::pg_catalog."char"
            """);

    PostgresCatalog(Connection connection, InspectionLimits limits) {
        super(connection, limits, "\"", "ONLY ", "last_value + CASE WHEN is_called THEN %s ELSE 0 END");
    }

    static String qualified(String sql) {
        return OPERATOR.matcher(sql).replaceAll("OPERATOR(pg_catalog.$1)");
    }

    @Override
    void begin() throws SQLException {
        connection.setAutoCommit(true);
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        limit(waitOfOne());
    }

    @Override
    <R> R transaction(boolean many, Work<R> work) throws SQLException {
        Duration alone = waitOfOne();
        return transaction(many && alone.compareTo(WAIT_OF_MANY) > 0 ? WAIT_OF_MANY : alone, true, work);
    }

    <R> R onSearchPath(Work<R> work) throws SQLException {
        return transaction(waitOfOne(), false, work);
    }

    @Override
    int locks(Object of) {
        return of instanceof ColumnRow column ? column.locks() : 1;
    }

    private <R> R transaction(Duration lockWait, boolean catalogAlone, Work<R> work) throws SQLException {
        connection.rollback();
        limit(lockWait);
        if (catalogAlone) {
            set("search_path", "pg_catalog, pg_temp");
        }
        try {
            return work.run();
        } finally {
            if (!connection.isClosed()) {
                connection.rollback();
            }
        }
    }

    /** Shorter than a statement's time; otherwise the server only says that it took too long. */
    private Duration waitOfOne() {
        return limits.statement().multipliedBy(3).dividedBy(4);
    }

    private void limit(Duration lockWait) throws SQLException {
        set("statement_timeout", milliseconds(limits.statement()));
        set("lock_timeout", milliseconds(lockWait));
        set("jit", "off"); // would compile for seconds
    }

    private static String milliseconds(Duration time) {
        return Math.max(1, Math.min(Integer.MAX_VALUE, time.toMillis())) + "ms";
    }

    private void set(String setting, String value) throws SQLException {
        query("SELECT pg_catalog.set_config(?, ?, true)", row -> value, setting, value);
    }

    @Override
    String reason(SQLException e) {
        return switch (String.valueOf(e.getSQLState())) {
            case "55P03" -> "another session holds a lock on it; look again later";
            case "57014" -> "reading it takes more than " + limits.statement().toMillis() + " ms";
            case "42501" -> Skips.DENIED;
            case "42P01" -> Skips.DROPPED;
            default -> super.reason(e);
        };
    }

    /** Returns the rows of a query that may be refused, which is reported as skipped. */
    <R> List<R> rowsOrSkip(String subject, String sql, Row<R> reader) throws SQLException {
        return part(subject, List.of(), () -> rows(sql, reader));
    }

    @Override
    String product() throws SQLException {
        return "PostgreSQL " + first("SHOW server_version").orElse("");
    }

    @Override
    Remedies remedies() {
        return new PostgresRemedies();
    }

    @Override
    List<NumberSource> sources() throws SQLException {
        Map<Long, SequenceRow> sequences = new LinkedHashMap<>();
        rowsOrSkip("sequences", SEQUENCES, row -> sequences.put(row.getLong(1), sequence(row)));
        PostgresColumns columns = new PostgresColumns(this);
        part("columns", List.of(), () -> columns.read(sequences));
        // Beside inserts, a sequence that is read after its column is ahead of it.
        Map<Optional<SequenceRow>, List<NumberedColumn>> numbered = part("columns", Map.of(), columns::numbered);
        Map<SequenceRow, BigInteger> following = following(sequences.values());
        new PostgresServer(this).check(!columns.all().isEmpty());
        Map<Long, Set<String>> publications = new HashMap<>();
        rowsOrSkip(
                "publications",
                PUBLISHED,
                row -> publications
                        .computeIfAbsent(row.getLong(2), none -> new LinkedHashSet<>())
                        .add(row.getString(1)));
        for (ColumnRow column : columns.all()) {
            check(column, columns.drawn(column), publications.getOrDefault(column.table(), Set.of()));
        }
        List<NumberSource> sources = new ArrayList<>();
        for (SequenceRow sequence : sequences.values()) {
            Optional<BigInteger> next = Optional.ofNullable(following.get(sequence));
            sources.add(sequence.definition().at(next, numbered.getOrDefault(Optional.of(sequence), List.of())));
        }
        for (NumberedColumn column : numbered.getOrDefault(Optional.<SequenceRow>empty(), List.of())) {
            sources.add(NumberSource.of(column));
        }
        if (sources.stream().anyMatch(NumberSource::steps)) {
            tables.addAll(rowsOrSkip("tables", TABLES, row -> new ObjectName(row.getString(1), row.getString(2))));
        }
        return sources;
    }

    private static SequenceRow sequence(ResultSet row) throws SQLException {
        String table = row.getString(14);
        NumberSource definition = new NumberSource(
                row.getBoolean(16) ? NumberSource.Kind.IDENTITY : NumberSource.Kind.SEQUENCE,
                new ObjectName(row.getString(2), row.getString(3)),
                Optional.empty(),
                false,
                BigInteger.valueOf(row.getLong(4)),
                BigInteger.valueOf(row.getLong(5)),
                new ValueRange(BigInteger.valueOf(row.getLong(6)), BigInteger.valueOf(row.getLong(7))),
                row.getBoolean(8),
                row.getLong(9),
                table == null
                        ? Optional.empty()
                        : Optional.of(new ColumnPath(new ObjectName(row.getString(13), table), row.getString(15))),
                List.of());
        return new SequenceRow(
                row.getLong(1),
                row.getLong(17),
                row.getBoolean(10),
                row.getBoolean(11),
                row.getBoolean(12),
                definition);
    }

    /** Reads the number after the last one of each sequence. A user who may only draw does not see it before the first draw. */
    private Map<SequenceRow, BigInteger> following(Collection<SequenceRow> sequences) throws SQLException {
        Map<SequenceRow, BigInteger> following = new HashMap<>();
        List<SequenceRow> readable = new ArrayList<>();
        for (SequenceRow sequence : sequences) {
            if (sequence.readable() || sequence.usable()) {
                readable.add(sequence);
            } else {
                skips.add(sequence.toString(), "this user may not read it; grant SELECT");
            }
        }
        Function<SequenceRow, String> sql = sequence -> sequence.readable()
                ? "last_value, is_called FROM " + PostgresRemedies.quoted(sequence.name())
                : "pg_catalog.pg_sequence_last_value(" + sequence.oid()
                        + "::pg_catalog.oid::pg_catalog.regclass), true";
        batch(BATCH, readable, sql, (sequence, row) -> {
            BigInteger last = BigInteger.valueOf(row.getLong(2));
            if (row.wasNull()) {
                skips.add(sequence.toString(), "this user may not read it before its first draw; grant SELECT");
            } else {
                following.put(
                        sequence,
                        row.getBoolean(3) ? last.add(sequence.definition().increment()) : last);
            }
        });
        return following;
    }

    private void check(ColumnRow column, @Nullable SequenceRow sequence, Set<String> publications) {
        ObjectName table = column.path().table();
        if (column.unlogged()) {
            note(table, "the table is UNLOGGED: a crash empties it");
        } else if (sequence != null && sequence.unlogged()) {
            String what = """
                    the sequence is UNLOGGED: a crash sets it back to its start, and %s gets numbers that it \
                    already holds""".formatted(column);
            String quoted = PostgresRemedies.quoted(sequence.name());
            Remedy remedy = Remedy.changes("ALTER SEQUENCE " + quoted + " SET LOGGED");
            findings.add(Fault.REPEATS.of(sequence.name(), what, remedy));
        }
        if (sequence != null && !publications.isEmpty()) {
            String what = """
                    publication %s copies %s, but not the sequence: a subscriber that takes over deals numbers \
                    again""".formatted(String.join(", ", publications), column);
            Remedy remedy = PostgresRemedies.onSubscriber(sequence.definition(), column.path());
            findings.add(Fault.NOT_REPLICATED.of(sequence.name(), what, remedy));
        }
    }

    @Override
    Map<ColumnPath, Extent> extents(List<ColumnPath> asked) throws SQLException {
        PostgresColumns reads = new PostgresColumns(this);
        Map<ColumnPath, ColumnRow> found = reads.named(asked);
        Map<ColumnRow, Optional<ValueRange>> ends =
                reads.ends(found.values().stream().distinct().toList());
        Map<ColumnPath, Extent> extents = new HashMap<>();
        found.forEach((name, column) ->
                extents.put(name, new Extent(column.path(), ends.getOrDefault(column, Optional.empty()))));
        return extents;
    }

    @Override
    void checkOwnTable(String table) throws SQLException {
        String quoted = PostgresRemedies.quoteAny(table);
        Work<List<String>> unlogged = () -> query(UNLOGGED, row -> table, quoted);
        if (!part("table " + table, List.of(), () -> onSearchPath(unlogged)).isEmpty()) {
            findings.add(Fault.LOSES_COMMITS.of(table, """
                    the table of our sequences is UNLOGGED: a crash empties it, and numbers are dealt \
                    again""", Remedy.changes("ALTER TABLE " + quoted + " SET LOGGED")));
        }
    }
}
