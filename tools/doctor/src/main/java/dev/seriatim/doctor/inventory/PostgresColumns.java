// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import static dev.seriatim.doctor.inventory.PostgresCatalog.OURS;
import static dev.seriatim.doctor.inventory.PostgresCatalog.qualified;

import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import dev.seriatim.doctor.inventory.PostgresCatalog.SequenceRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The columns that draw from sequences, from PostgreSQL's catalog alone, in one statement for each kind of object, so
 * that no lock on a table delays it. Not thread-safe.
 */
final class PostgresColumns {

    /**
     * A column that draws from a sequence, or was asked for.
     *
     * @param role the owner of its table
     * @param locks how many tables and indexes a read of its table locks
     * @param computed whether its default does more than draw and cast
     * @param unread why its numbers are not read
     */
    record ColumnRow(
            ColumnPath path,
            long role,
            long table,
            boolean partitioned,
            int locks,
            boolean unlogged,
            boolean identity,
            String type,
            Optional<ValueRange> range,
            boolean computed,
            Optional<String> unread) {

        NumberedColumn with(
                boolean foreign, Optional<ValueRange> held, boolean applied, List<NumberedColumn> children) {
            return new NumberedColumn(path, type, range.orElseThrow(), foreign, held, applied, children);
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }

    /** How many columns one statement looks up by their names. */
    private static final int LOOKED_UP = 1000;

    /** How many locks one statement takes; a server has 6,400 for all sessions unless its settings say otherwise. */
    private static final int MOST_LOCKS = 300;

    /** The functions of a default that is nextval alone, and casts: nextval; text to regclass; 64-bit to smaller, and numeric. */
    private static final Set<String> PLAIN_FUNCTIONS =
            Set.of("1574", "1079", "480", "714", "1781", "1703", "482", "652");

    private static final Set<String> PLAIN_NODES = Set.of("FUNCEXPR", "CONST", "COERCETODOMAIN", "RELABELTYPE");

    /** A node of an expression, or a function that it calls. */
    private static final Pattern PART = Pattern.compile("\\{([A-Z_]+)|:funcid (\\d+) ");

    /** The name in a default that looks its sequence up at each insert; or text and quoted names, to be passed over. */
    private static final Pattern LATE =
            Pattern.compile("nextval\\(\\(?'([^']*+(?:''[^']*+)*+)'::(?:pg_catalog\\.)?text\\)?"
                    + "(?:::regclass)?\\)|'[^']*+'|\"[^\"]*+\"");

    /** Begins a query of a table and, on a condition, its partitions; {@code pg_partition_tree} would lock them. */
    private static final String TREE = """
            (WITH RECURSIVE tree(oid) AS (SELECT %s UNION ALL
                SELECT h.inhrelid FROM tree JOIN pg_catalog.pg_inherits h ON h.inhparent = tree.oid WHERE %s)
            """;

    // 17 and later copy attidentity to partitions; the sequence belongs to the root.
    private static final String COLUMN = """
            n.nspname, c.relname, a.attname, c.oid, c.relkind, c.relpersistence, a.attidentity <> ''::pg_catalog."char",
              pg_catalog.format_type(a.atttypid, a.atttypmod), a.atttypid, a.atttypmod, c.relowner,
              pg_catalog.has_schema_privilege(n.oid, 'USAGE'::pg_catalog.text)
                AND pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT'::pg_catalog.text),
              pg_catalog.row_security_active(c.oid),
              EXISTS (SELECT 1 FROM pg_catalog.pg_index i
                JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
                JOIN pg_catalog.pg_am m ON m.oid = x.relam
                JOIN pg_catalog.pg_opclass o ON o.oid = i.indclass[0]
                WHERE i.indrelid = c.oid AND i.indkey[0] = a.attnum AND i.indisvalid AND i.indpred IS NULL
                  AND m.amname = 'btree'::pg_catalog.name AND o.opcdefault),
            """ + TREE.formatted("c.oid", "c.relkind = 'p'::pg_catalog.\"char\"") + """
              SELECT pg_catalog.count(*) FROM tree CROSS JOIN LATERAL (SELECT tree.oid
                UNION ALL SELECT i.indexrelid FROM pg_catalog.pg_index i WHERE i.indrelid = tree.oid) locked)
            """;

    private static final String LEAVES =
            qualified("SELECT " + COLUMN + "FROM " + TREE.formatted("?::pg_catalog.oid", "true") + """
            SELECT oid FROM tree) t
              JOIN pg_catalog.pg_class c ON c.oid = t.oid AND c.relkind <> 'p'::pg_catalog."char"
              JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND CAST(a.attname AS pg_catalog.text) = ?""");

    private static final String COLUMNS =
            qualified("SELECT " + COLUMN + """
            , e.oid, CAST(e.adbin AS pg_catalog.text), (SELECT pg_catalog.min(q.oid) FROM pg_catalog.pg_depend d
                JOIN pg_catalog.pg_class q ON q.oid = d.refobjid AND q.relkind = 'S'::pg_catalog."char"
                WHERE d.classid = 2604::pg_catalog.oid AND d.objid = e.oid AND d.refclassid = 1259::pg_catalog.oid)
            FROM pg_catalog.pg_attribute a
              JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
              JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
              LEFT JOIN pg_catalog.pg_attrdef e ON e.adrelid = a.attrelid AND e.adnum = a.attnum AND a.atthasdef
            WHERE NOT a.attisdropped AND a.attnum > 0
              AND (c.relkind = 'r'::pg_catalog."char" OR c.relkind = 'p'::pg_catalog."char"
                OR c.relkind = 'f'::pg_catalog."char")
              AND (a.attidentity <> ''::pg_catalog."char"
                OR pg_catalog.strpos(CAST(e.adbin AS pg_catalog.text), ':funcid 1574 '::pg_catalog.text) > 0)
              AND\
            """ + OURS + " ORDER BY n.nspname, c.relname, a.attnum");

    // The columns asked for come as arrays. OFFSET 0 keeps the look-up of a name from being repeated for each table.
    private static final String NAMED = qualified("SELECT " + COLUMN + """
            , k.i
            FROM (SELECT g.i, pg_catalog.to_regclass((?::pg_catalog.text[])[g.i])::pg_catalog.oid AS tab,
                  (?::pg_catalog.text[])[g.i] AS col
                FROM pg_catalog.generate_series(1, ?::pg_catalog.int4) AS g(i) OFFSET 0) k
              JOIN pg_catalog.pg_class c ON c.oid = k.tab
              JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND CAST(a.attname AS pg_catalog.text) = k.col
            WHERE NOT a.attisdropped AND a.attnum > 0
              AND (c.relkind = 'r'::pg_catalog."char" OR c.relkind = 'p'::pg_catalog."char")
            """);

    /** Narrow columns that refer to others, also by way of others. Partitions are altered with the whole. */
    private static final String CHILDREN = qualified("""
            WITH RECURSIVE refers AS (SELECT k.confrelid, u.parent, k.conrelid, u.child
                FROM pg_catalog.pg_constraint k CROSS JOIN LATERAL unnest(k.confkey, k.conkey) AS u(parent, child)
                WHERE k.contype = 'f'::pg_catalog."char" AND k.conparentid = 0::pg_catalog.oid),
              family AS (SELECT * FROM refers UNION SELECT f.confrelid, f.parent, r.conrelid, r.child FROM family f
                JOIN refers r ON r.confrelid = f.conrelid AND r.parent = f.child)
            SELECT
            """ + COLUMN + """
            , p.attrelid, p.attname FROM family f
              JOIN pg_catalog.pg_class c ON c.oid = f.conrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = f.child AND a.attinhcount = 0
              JOIN pg_catalog.pg_attribute p ON p.attrelid = f.confrelid AND p.attnum = f.parent
            WHERE a.atttypid = 21::pg_catalog.oid OR a.atttypid = 23::pg_catalog.oid""");

    /**
     * Tables whose reads run code of a role that is neither a superuser, nor this user, nor the database's owner; and
     * partitioned tables with a partition on another server. The planner evaluates functions that are declared immutable, in
     * indexes, constraints, statistics and partition keys. Of types, only domains and ranges have such code.
     */
    private static final String FOREIGN_CODE = qualified("""
            WITH RECURSIVE foreign_code AS (
              SELECT k.class, k.object, k.role FROM (
                SELECT 1255::pg_catalog.oid AS class, oid AS object, proowner AS role FROM pg_catalog.pg_proc
                UNION ALL SELECT 2617::pg_catalog.oid, oid, oprowner FROM pg_catalog.pg_operator
                UNION ALL SELECT 2616::pg_catalog.oid, oid, opcowner FROM pg_catalog.pg_opclass
                UNION ALL SELECT 1247::pg_catalog.oid, t.oid, t.typowner FROM pg_catalog.pg_type t
                  LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem
                  WHERE pg_catalog.strpos('drm'::pg_catalog.text, CAST(t.typtype AS pg_catalog.text)) > 0
                    OR pg_catalog.strpos('drm'::pg_catalog.text, CAST(e.typtype AS pg_catalog.text)) > 0) k
              WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_roles r WHERE r.oid = k.role
                AND (r.rolsuper OR r.rolname = CURRENT_USER OR r.oid = (SELECT b.datdba FROM pg_catalog.pg_database b
                  WHERE b.datname = pg_catalog.current_database())))),
            users AS (
              SELECT d.classid, d.objid, f.role FROM foreign_code f
                JOIN pg_catalog.pg_depend d ON d.refclassid = f.class AND d.refobjid = f.object
                  AND d.objsubid = 0),
            tables(oid, role) AS (
              SELECT i.indrelid, u.role FROM users u
                JOIN pg_catalog.pg_index i ON u.classid = 1259::pg_catalog.oid AND i.indexrelid = u.objid
              UNION SELECT p.partrelid, u.role FROM users u
                JOIN pg_catalog.pg_partitioned_table p ON u.classid = 1259::pg_catalog.oid AND p.partrelid = u.objid
              UNION SELECT k.conrelid, u.role FROM users u
                JOIN pg_catalog.pg_constraint k ON u.classid = 2606::pg_catalog.oid AND k.oid = u.objid
              UNION SELECT s.stxrelid, u.role FROM users u
                JOIN pg_catalog.pg_statistic_ext s ON u.classid = 3381::pg_catalog.oid AND s.oid = u.objid
              UNION SELECT c.oid, 0::pg_catalog.oid FROM pg_catalog.pg_class c
                WHERE c.relkind = 'f'::pg_catalog."char" AND c.relispartition),
            whole AS (
              SELECT oid, role FROM tables
              UNION SELECT h.inhparent, w.role FROM whole w JOIN pg_catalog.pg_inherits h ON h.inhrelid = w.oid
                JOIN pg_catalog.pg_class c ON c.oid = w.oid AND c.relispartition)
            SELECT w.oid, r.rolname FROM whole w LEFT JOIN pg_catalog.pg_roles r ON r.oid = w.role""");

    private static final String DOMAINS = qualified(
            "SELECT oid, typbasetype, typtypmod FROM pg_catalog.pg_type WHERE typtype = 'd'::pg_catalog.\"char\"");

    private static final String PARENTS = qualified(
            "SELECT inhrelid, inhparent FROM pg_catalog.pg_inherits h JOIN pg_catalog.pg_class c ON c.oid = h.inhrelid"
                    + " AND c.relispartition");

    /** Columns that a trigger fills from a sequence, and keys named id, which Hibernate fills from TABLE_seq. */
    private static final String APPLIED = qualified("""
            SELECT n.nspname, c.relname, a.attname, COALESCE(l.name, pg_catalog.concat(c.relname, '_seq'))
            FROM (SELECT t.tgrelid AS tab, pg_catalog.lower(m.part[1]) AS col,
                  pg_catalog.lower(m.part[2]) AS name, NULL::pg_catalog.int2 AS key
                FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_proc f ON f.oid = t.tgfoid
                  CROSS JOIN LATERAL pg_catalog.regexp_matches(f.prosrc, 'new[.]([a-z0-9_]+)'
                    ' *:?= *(?:coalesce[(][^,;]*, *)?nextval[(]''((?:[a-z0-9_]+[.])?[a-z0-9_]+)''', 'gi') AS m(part)
                UNION ALL SELECT i.indrelid, 'id', NULL, i.indkey[0] FROM pg_catalog.pg_index i
                  WHERE i.indisprimary AND i.indnkeyatts = 1) l
              JOIN pg_catalog.pg_class c ON c.oid = l.tab JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_catalog.pg_attribute a ON a.attrelid = l.tab AND a.attnum = COALESCE(l.key, a.attnum)
                AND CAST(a.attname AS pg_catalog.text) = l.col""");

    /** To decompile a default, new versions lock its table. */
    private static final String DEFAULT_TEXT = qualified(
            "SELECT pg_catalog.pg_get_expr(adbin, adrelid) FROM pg_catalog.pg_attrdef WHERE oid = ?::pg_catalog.oid");

    private static final String SEQUENCE_BY_NAME = qualified("""
            SELECT c.oid FROM (SELECT n, pg_catalog.to_regclass(n)::pg_catalog.oid AS oid FROM (SELECT ?) s(n)) k
              JOIN pg_catalog.pg_class c ON c.relkind = 'S'::pg_catalog."char"
            WHERE c.oid = k.oid OR k.oid IS NULL AND CAST(c.relname AS pg_catalog.text) = k.n""");

    private final PostgresCatalog catalog;
    private final Map<Long, long[]> domains = new HashMap<>();
    private final Map<ColumnPath, ColumnRow> columns = new LinkedHashMap<>();
    private final Map<ColumnPath, SequenceRow> drawn = new HashMap<>();
    private final Set<ColumnPath> applied = new HashSet<>();

    PostgresColumns(PostgresCatalog catalog) throws SQLException {
        this.catalog = catalog;
        catalog.rowsOrSkip(
                "domains", DOMAINS, row -> domains.put(row.getLong(1), new long[] {row.getLong(2), row.getLong(3)}));
    }

    /** Reads all columns that draw from sequences, and those that own one which an application must draw from. */
    Collection<ColumnRow> read(Map<Long, SequenceRow> sequences) throws SQLException {
        Map<ColumnPath, SequenceRow> owned = new LinkedHashMap<>();
        Map<String, SequenceRow> names = new HashMap<>();
        for (SequenceRow sequence : sequences.values()) {
            names.put(sequence.name().toString(), sequence);
            boolean ofIdentity = sequence.definition().kind() == NumberSource.Kind.IDENTITY;
            sequence.definition()
                    .owner()
                    .ifPresent(owner -> owned.merge(owner, sequence, (one, other) -> ofIdentity ? other : one));
        }
        Map<ColumnPath, Long> late = new LinkedHashMap<>();
        catalog.rows(COLUMNS, row -> {
            String tree = row.getString(17);
            boolean identity = row.getBoolean(7);
            long named = row.getLong(18);
            ColumnRow column = column(row, !identity && tree != null && isComputed(tree));
            columns.put(column.path(), column);
            SequenceRow sequence = identity ? owned.get(column.path()) : sequences.get(named);
            if (sequence != null) {
                drawn.put(column.path(), sequence);
            } else if (!identity && named == 0) {
                late.put(column.path(), row.getLong(16));
            }
            return column;
        });
        for (Map.Entry<ColumnPath, Long> column : late.entrySet()) {
            ColumnPath path = column.getKey();
            catalog.part(path.toString(), Optional.<Long>empty(), () -> lateSequence(path, column.getValue()))
                    .map(sequences::get)
                    .ifPresent(sequence -> drawn.put(path, sequence));
        }
        catalog.rowsOrSkip("triggers and keys", APPLIED, row -> {
            String name = row.getString(4);
            SequenceRow sequence = names.get(name.contains(".") ? name : row.getString(1) + "." + name);
            if (sequence != null && sequence.definition().owner().isEmpty()) {
                owned.putIfAbsent(path(row), sequence);
            }
            return name;
        });
        owned.keySet().removeAll(columns.keySet());
        owned.values().removeAll(Set.copyOf(drawn.values()));
        Map<ColumnPath, ColumnRow> fed = named(List.copyOf(owned.keySet()));
        owned.keySet().retainAll(fed.keySet());
        columns.putAll(fed);
        drawn.putAll(owned);
        applied.addAll(owned.keySet());
        return all();
    }

    /** Looks up the sequence of a default whose text names it: on the search path, or the only one of its name. */
    private Optional<Long> lateSequence(ColumnPath column, long expression) throws SQLException {
        Matcher part = LATE.matcher(catalog.first(DEFAULT_TEXT, expression).orElse(""));
        String name = part.results()
                .flatMap(one -> Stream.ofNullable(one.group(1)))
                .findFirst()
                .orElse("")
                .replace("''", "'");
        if (name.isEmpty()) {
            return Optional.empty();
        }
        List<Long> found = catalog.onSearchPath(() -> catalog.query(SEQUENCE_BY_NAME, row -> row.getLong(1), name));
        if (found.isEmpty()) {
            String what = "its default draws from " + name + ", which does not exist: inserts fail";
            catalog.findings.add(
                    Fault.MISSING_SEQUENCE.of(column, what, "create the sequence, or correct the default"));
        }
        return found.stream().filter(one -> found.size() == 1).findFirst();
    }

    Collection<ColumnRow> all() {
        return columns.values();
    }

    @Nullable
    SequenceRow drawn(ColumnRow column) {
        return drawn.get(column.path());
    }

    /** Reads the ends of the columns with numbers. Returns these columns by the sequences that they draw from. */
    Map<Optional<SequenceRow>, List<NumberedColumn>> numbered() throws SQLException {
        List<ColumnRow> whole = withoutPartitions();
        Map<ColumnRow, Optional<ValueRange>> ends = ends(whole);
        Map<List<Object>, List<NumberedColumn>> children = new HashMap<>();
        catalog.rowsOrSkip(
                "foreign keys",
                CHILDREN,
                row -> children.computeIfAbsent(List.of(row.getLong(16), row.getString(17)), none -> new ArrayList<>())
                        .add(column(row, false).with(false, Optional.empty(), false, List.of())));
        Map<Optional<SequenceRow>, List<NumberedColumn>> numbered = new HashMap<>();
        for (ColumnRow column : whole) {
            if (!column.computed() && column.range().isPresent()) {
                Optional<SequenceRow> sequence = Optional.ofNullable(drawn(column));
                // The sequence that a column owns has the owner of its table.
                boolean foreign =
                        sequence.filter(from -> from.role() != column.role()).isPresent();
                numbered.computeIfAbsent(sequence, none -> new ArrayList<>())
                        .add(column.with(
                                foreign,
                                ends.getOrDefault(column, Optional.empty()),
                                applied.contains(column.path()),
                                children.getOrDefault(
                                        List.of(column.table(), column.path().column()), List.of())));
            }
        }
        return numbered;
    }

    /** Leaves out partitions that draw from the sequence of the whole: they are read with the whole. */
    private List<ColumnRow> withoutPartitions() throws SQLException {
        Map<Long, Long> parents = new HashMap<>();
        catalog.rows(PARENTS, row -> parents.put(row.getLong(1), row.getLong(2)));
        Set<List<Object>> all = new HashSet<>();
        columns.values().forEach(column -> all.add(inTable(column.table(), column)));
        return columns.values().stream()
                .filter(column -> {
                    long root = column.table();
                    for (Long up = parents.get(root); up != null; up = parents.get(root)) {
                        root = up;
                    }
                    boolean ofRoot = column.identity() && drawn(column) == null;
                    return root == column.table() || !(ofRoot || all.contains(inTable(root, column)));
                })
                .toList();
    }

    private List<Object> inTable(long table, ColumnRow column) {
        return List.of(table, column.path().column(), Optional.ofNullable(drawn(column)));
    }

    private static ColumnPath path(ResultSet row) throws SQLException {
        return new ColumnPath(new ObjectName(row.getString(1), row.getString(2)), row.getString(3));
    }

    private ColumnRow column(ResultSet row, boolean computed) throws SQLException {
        Optional<ValueRange> range = range(row.getLong(9), row.getInt(10));
        String kind = row.getString(5);
        String unread = null;
        if (kind.equals("f")) {
            unread = "its table is on another server";
        } else if (range.isEmpty()) {
            unread = "its type holds no numbers";
        } else if (computed) {
            unread = "its default computes with what it draws";
        } else if (!row.getBoolean(12)) {
            unread = "this user may not read it; grant SELECT, and USAGE on the schema";
        } else if (row.getBoolean(13)) {
            unread = "row-level security hides rows from this user; look as the owner of the table";
        } else if (!row.getBoolean(14) && !catalog.limits.scans()) {
            unread = Skips.NO_INDEX;
        }
        return new ColumnRow(
                path(row),
                row.getLong(11),
                row.getLong(4),
                kind.equals("p"),
                row.getInt(15),
                row.getString(6).equals("u"),
                row.getBoolean(7),
                row.getString(8),
                range,
                computed,
                Optional.ofNullable(unread));
    }

    /** Looks up columns of numbers by the names asked for; names without a schema along the search path. */
    Map<ColumnPath, ColumnRow> named(List<ColumnPath> asked) throws SQLException {
        Map<ColumnPath, ColumnRow> found = new LinkedHashMap<>();
        for (int from = 0; from < asked.size(); from += LOOKED_UP) {
            List<ColumnPath> some = asked.subList(from, Math.min(asked.size(), from + LOOKED_UP));
            Object[] tables = some.stream()
                    .map(path -> PostgresRemedies.name(path.table()))
                    .toArray();
            Object[] columns = some.stream().map(ColumnPath::column).toArray();
            catalog.onSearchPath(() -> catalog.query(
                    NAMED,
                    row -> {
                        ColumnRow column = column(row, false);
                        ColumnPath path = some.get(row.getInt(16) - 1);
                        // The server cuts long names off.
                        boolean whole =
                                column.path().table().name().equals(path.table().name());
                        if (whole && column.range().isPresent()) {
                            found.put(path, column);
                        }
                        return column;
                    },
                    catalog.connection.createArrayOf("text", tables),
                    catalog.connection.createArrayOf("text", columns),
                    some.size()));
        }
        return found;
    }

    /** Returns the ends of the columns that may be read. A table whose read would run foreign code is skipped. */
    Map<ColumnRow, Optional<ValueRange>> ends(List<ColumnRow> columns) throws SQLException {
        Map<Long, String> unsafe = new HashMap<>();
        if (!columns.isEmpty()) {
            catalog.rows(FOREIGN_CODE, row -> unsafe.put(row.getLong(1), whyUnsafe(row)));
        }
        Map<ColumnRow, ColumnRow> parts = new LinkedHashMap<>();
        for (ColumnRow column : columns) {
            Optional<String> unread =
                    Optional.ofNullable(unsafe.get(column.table())).or(column::unread);
            boolean large = unread.isEmpty() && column.locks() > MOST_LOCKS;
            if (column.partitioned()) {
                catalog.partitioned.put(column.path(), large);
            }
            String name = column.path().column();
            for (ColumnRow part :
                    large ? catalog.rows(LEAVES, row -> column(row, false), column.table(), name) : List.of(column)) {
                unread.or(part::unread)
                        .ifPresentOrElse(why -> catalog.skips.add(part.toString(), why), () -> parts.put(part, column));
            }
        }
        Map<ColumnRow, Optional<ValueRange>> found = new HashMap<>();
        catalog.ends(MOST_LOCKS, List.copyOf(parts.keySet()), PostgresColumns::query)
                .forEach((part, held) -> found.merge(parts.get(part), held, ValueRange::hull));
        return found;
    }

    private static String whyUnsafe(ResultSet row) throws SQLException {
        String role = row.getString(2);
        return role == null ? "a partition of it is on another server" : """
                        an index, a constraint, statistics or the partition key of it run code of role %1$s, with \
                        this user's rights; examine it as %1$s""".formatted(role);
    }

    /** Leaves out the tables that inherit from it, which are read themselves; a partitioned table has no rows of its own. */
    private static String query(ColumnRow column) {
        return """
                CAST((SELECT pg_catalog.min(%1$s) FROM %2$s) AS pg_catalog.text), \
                CAST((SELECT pg_catalog.max(%1$s) FROM %2$s) AS pg_catalog.text)""".formatted(
                        PostgresRemedies.quoteAny(column.path().column()),
                        (column.partitioned() ? "" : "ONLY ")
                                + PostgresRemedies.quoted(column.path().table()));
    }

    /** Returns whether a default does more than draw and cast. */
    private static boolean isComputed(String tree) {
        return !PART.matcher(tree)
                .results()
                .allMatch(part -> part.group(1) == null
                        ? PLAIN_FUNCTIONS.contains(part.group(2))
                        : PLAIN_NODES.contains(part.group(1)));
    }

    /**
     * Returns the whole numbers that a type holds exactly; empty if it is not a type of numbers. A numeric's precision is in the
     * upper 16 bits of its modifier, its scale in the lower 11, the highest of which is the sign.
     */
    private Optional<ValueRange> range(long type, int modifier) {
        long base = type;
        int typmod = modifier;
        for (long[] domain = domains.get(base); domain != null; domain = domains.get(base)) {
            base = domain[0];
            typmod = (int) domain[1];
        }
        int precision = ((typmod - 4) >> 16) & 0xffff;
        int scale = (((typmod - 4) & 0x7ff) ^ 1024) - 1024;
        return switch ((int) base) {
            case 21 -> Optional.of(ValueRange.ofBits(15));
            case 23 -> Optional.of(ValueRange.ofBits(31));
            case 20 -> Optional.of(ValueRange.ofBits(63));
            case 700 -> Optional.of(ValueRange.ofMantissa(24));
            case 701 -> Optional.of(ValueRange.ofMantissa(53));
            case 1700 -> Optional.of(typmod < 4 ? ValueRange.ofBits(63) : ValueRange.ofDigits(precision - scale));
            default -> Optional.empty();
        };
    }
}
