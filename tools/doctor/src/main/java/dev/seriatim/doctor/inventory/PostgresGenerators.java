// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import static dev.seriatim.doctor.inventory.LimitedReads.qualified;

import dev.seriatim.doctor.inventory.NumberedColumn.Generator;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What PostgreSQL's catalog says about sequences and the columns that draw from them. Reads the catalog alone, in one statement for
 * each kind of object, so that no lock on a table delays it.
 */
final class PostgresGenerators {

    /** A sequence, with the role that owns it and this user's rights. Its state is in the sequence. */
    record SequenceRow(
            long oid, long role, boolean unlogged, boolean readable, boolean usable, NativeSequence definition) {

        ObjectName name() {
            return definition.name();
        }

        Optional<ColumnPath> owner() {
            return definition.owner();
        }
    }

    /**
     * A column that draws from a sequence, or was asked for.
     *
     * @param role the owner of its table
     * @param root the whole that its table is a partition of
     * @param computed whether its default does more than draw and cast
     * @param unread why its numbers are not read
     */
    record ColumnRow(
            ColumnPath path,
            long role,
            long table,
            boolean partitioned,
            OptionalLong root,
            boolean unlogged,
            Generator generator,
            String type,
            Optional<ValueRange> range,
            boolean computed,
            OptionalLong sequence,
            Optional<String> unread) {

        ColumnRow drawing(long drawn, boolean unloggedTable) {
            return new ColumnRow(
                    path,
                    role,
                    table,
                    partitioned,
                    root,
                    unloggedTable,
                    generator,
                    type,
                    range,
                    computed,
                    OptionalLong.of(drawn),
                    unread);
        }
    }

    /** How many columns one statement looks up by their names. */
    private static final int LOOKED_UP = 1000;

    /** The functions of a default that is nextval alone, and casts: nextval; text to regclass; 64-bit to smaller, and numeric. */
    private static final String PLAIN_FUNCTIONS = "1574|1079|480|714|1781|1703|482|652";

    private static final Pattern NODE = Pattern.compile("\\{([A-Z_]+)");
    private static final Pattern FUNCTION = Pattern.compile(":funcid (\\d+) ");
    private static final Pattern PLAIN_NODE = Pattern.compile("FUNCEXPR|CONST|COERCETODOMAIN|RELABELTYPE");

    /** The name in a default that looks its sequence up at each insert; or text and quoted names, to be passed over. */
    private static final Pattern LATE =
            Pattern.compile("nextval\\(\\(?'([^']*+(?:''[^']*+)*+)'::(?:pg_catalog\\.)?text\\)?"
                    + "(?:::regclass)?\\)|'[^']*+'|\"[^\"]*+\"");

    private static final String OURS = " c.relpersistence <> 't'::pg_catalog.\"char\""
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

    private static final String INDEXED = """
            EXISTS (SELECT 1 FROM pg_catalog.pg_index i
              JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
              JOIN pg_catalog.pg_am m ON m.oid = x.relam
              JOIN pg_catalog.pg_opclass o ON o.oid = i.indclass[0]
              WHERE i.indrelid = c.oid AND i.indkey[0] = a.attnum AND i.indisvalid AND i.indpred IS NULL
                AND m.amname = 'btree'::pg_catalog.name AND o.opcdefault)""";

    // 17 and later copy attidentity to partitions; the sequence belongs to the root.
    private static final String COLUMN = """
            n.nspname, c.relname, a.attname, c.oid, c.relkind, c.relpersistence, a.attidentity <> ''::pg_catalog."char",
              pg_catalog.format_type(a.atttypid, a.atttypmod), a.atttypid, a.atttypmod, c.relowner,
              pg_catalog.has_schema_privilege(n.oid, 'USAGE'::pg_catalog.text)
                AND pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT'::pg_catalog.text),
              pg_catalog.row_security_active(c.oid),\
            """ + INDEXED;

    private static final String COLUMNS =
            qualified("SELECT " + COLUMN + """
            , e.oid, CAST(e.adbin AS pg_catalog.text), q.oid
            FROM pg_catalog.pg_attribute a
              JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
              JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
              LEFT JOIN pg_catalog.pg_attrdef e ON e.adrelid = a.attrelid AND e.adnum = a.attnum AND a.atthasdef
              LEFT JOIN (pg_catalog.pg_depend d
                JOIN pg_catalog.pg_class q ON q.oid = d.refobjid AND q.relkind = 'S'::pg_catalog."char")
              ON d.classid = 2604::pg_catalog.oid AND d.objid = e.oid AND d.refclassid = 1259::pg_catalog.oid
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

    private static final String TABLES = qualified("""
            SELECT n.nspname, c.relname FROM pg_catalog.pg_class c
              JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind <> 'S'::pg_catalog."char" AND c.relkind <> 'i'::pg_catalog."char" AND\
            """ + OURS);

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

    private static final String DEFAULT_TEXT = qualified(
            "SELECT pg_catalog.pg_get_expr(adbin, adrelid) FROM pg_catalog.pg_attrdef WHERE oid = ?::pg_catalog.oid");

    private static final String SEQUENCE_BY_NAME = qualified("""
            SELECT c.oid FROM pg_catalog.pg_class c \
            WHERE c.relkind = 'S'::pg_catalog."char" AND c.oid = pg_catalog.to_regclass(?)::pg_catalog.oid""");

    private final LimitedReads reads;
    private final Map<Long, long[]> domains = new HashMap<>();

    PostgresGenerators(LimitedReads reads) throws SQLException {
        this.reads = reads;
        reads.each(DOMAINS, row -> domains.put(row.getLong(1), new long[] {row.getLong(2), row.getLong(3)}));
    }

    /** Reads all sequences, by their oids, in the order of their names. */
    Map<Long, SequenceRow> sequences() throws SQLException {
        Map<Long, SequenceRow> found = new LinkedHashMap<>();
        reads.each(SEQUENCES, row -> found.put(row.getLong(1), sequence(row)));
        return found;
    }

    /** Reads the names of all tables. */
    Set<ObjectName> tables() throws SQLException {
        return Set.copyOf(reads.rows(TABLES, row -> new ObjectName(row.getString(1), row.getString(2))));
    }

    private static SequenceRow sequence(ResultSet row) throws SQLException {
        String table = row.getString(14);
        NativeSequence definition = new NativeSequence(
                new ObjectName(row.getString(2), row.getString(3)),
                BigInteger.valueOf(row.getLong(4)),
                BigInteger.valueOf(row.getLong(5)),
                new ValueRange(BigInteger.valueOf(row.getLong(6)), BigInteger.valueOf(row.getLong(7))),
                row.getBoolean(8),
                row.getLong(9),
                Optional.empty(),
                false,
                table == null
                        ? Optional.empty()
                        : Optional.of(new ColumnPath(new ObjectName(row.getString(13), table), row.getString(15))),
                row.getBoolean(16));
        return new SequenceRow(
                row.getLong(1),
                row.getLong(17),
                row.getBoolean(10),
                row.getBoolean(11),
                row.getBoolean(12),
                definition);
    }

    /** Reads all columns that draw from sequences. To decompile a default, new versions lock its table. */
    List<ColumnRow> columns(Collection<SequenceRow> sequences) throws SQLException {
        Map<Long, Long> parents = new HashMap<>();
        reads.each(PARENTS, row -> parents.put(row.getLong(1), row.getLong(2)));
        Map<ColumnPath, Long> ofIdentity = new HashMap<>();
        sequences.stream()
                .filter(sequence -> sequence.definition().ofIdentity())
                .forEach(sequence -> sequence.owner().ifPresent(owner -> ofIdentity.put(owner, sequence.oid())));
        Map<Long, Integer> defaults = new LinkedHashMap<>();
        List<ColumnRow> found = new ArrayList<>();
        reads.each(COLUMNS, row -> {
            String tree = row.getString(16);
            boolean identity = row.getBoolean(7);
            ColumnRow column =
                    column(row, root(row.getLong(4), parents), !identity && tree != null && isComputed(tree));
            // A default that names two sequences has two rows, and is computed.
            if (identity || defaults.putIfAbsent(row.getLong(15), found.size()) == null) {
                Long sequence = identity ? ofIdentity.get(column.path()) : Long.valueOf(row.getLong(17));
                found.add(sequence == null || sequence == 0 ? column : column.drawing(sequence, column.unlogged()));
            }
        });
        for (Map.Entry<Long, Integer> expression : defaults.entrySet()) {
            ColumnRow column = found.get(expression.getValue());
            if (column.sequence().isEmpty()) {
                try {
                    lateSequence(expression.getKey())
                            .ifPresent(sequence ->
                                    found.set(expression.getValue(), column.drawing(sequence, column.unlogged())));
                } catch (SQLException e) {
                    if (reads.connection().isClosed()) {
                        throw e;
                    }
                    reads.skips().add(column.path().toString(), reads.reason(e));
                }
            }
        }
        return found;
    }

    private ColumnRow column(ResultSet row, OptionalLong root, boolean computed) throws SQLException {
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
        } else if (!row.getBoolean(14) && !reads.limits().scans()) {
            unread = Skips.NO_INDEX;
        }
        return new ColumnRow(
                new ColumnPath(new ObjectName(row.getString(1), row.getString(2)), row.getString(3)),
                row.getLong(11),
                row.getLong(4),
                kind.equals("p"),
                root,
                row.getString(6).equals("u"),
                row.getBoolean(7) ? Generator.IDENTITY : Generator.DEFAULT,
                row.getString(8),
                range,
                computed,
                OptionalLong.empty(),
                Optional.ofNullable(unread));
    }

    /** Looks up the sequence of a default whose text names it, as an insert by this user would. */
    private OptionalLong lateSequence(long expression) throws SQLException {
        return reads.onSearchPath(connection -> {
            String text = Query.first(connection, DEFAULT_TEXT, expression).orElse("");
            Optional<String> name = LATE.matcher(text)
                    .results()
                    .flatMap(found -> Stream.ofNullable(found.group(1)))
                    .findFirst();
            if (name.isEmpty()) {
                return OptionalLong.empty();
            }
            try {
                return Query.rows(
                                connection,
                                SEQUENCE_BY_NAME,
                                row -> row.getLong(1),
                                name.get().replace("''", "'"))
                        .stream()
                        .mapToLong(oid -> oid)
                        .findFirst();
            } catch (SQLException e) {
                if (connection.isClosed()) {
                    throw e;
                }
                return OptionalLong.empty(); // not a name
            }
        });
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
            reads.onSearchPath(connection -> {
                Query.each(
                        connection,
                        NAMED,
                        row -> {
                            ColumnRow column = column(row, OptionalLong.empty(), false);
                            ColumnPath path = some.get(row.getInt(15) - 1);
                            // The server cuts long names off.
                            boolean whole = column.path()
                                    .table()
                                    .name()
                                    .equals(path.table().name());
                            if (whole && column.range().isPresent()) {
                                found.put(path, column);
                            }
                        },
                        connection.createArrayOf("text", tables),
                        connection.createArrayOf("text", columns),
                        some.size());
                return found;
            });
        }
        return found;
    }

    /** Returns why tables must not be read, by their oids. */
    Map<Long, String> unsafe() throws SQLException {
        Map<Long, String> unsafe = new HashMap<>();
        reads.each(FOREIGN_CODE, row -> {
            String role = row.getString(2);
            String reason = role == null ? "a partition of it is on another server" : """
                            an index, a constraint, statistics or the partition key of it run code of role %s, with \
                            this user's rights; examine it as %s""".formatted(role, role);
            unsafe.put(row.getLong(1), reason);
        });
        return unsafe;
    }

    /** Returns whether a default does more than draw and cast. */
    private static boolean isComputed(String tree) {
        Matcher node = NODE.matcher(tree);
        while (node.find()) {
            if (!PLAIN_NODE.matcher(node.group(1)).matches()) {
                return true;
            }
        }
        Matcher function = FUNCTION.matcher(tree);
        while (function.find()) {
            if (!function.group(1).matches(PLAIN_FUNCTIONS)) {
                return true;
            }
        }
        return false;
    }

    private static OptionalLong root(long table, Map<Long, Long> parents) {
        Long parent = parents.get(table);
        if (parent == null) {
            return OptionalLong.empty();
        }
        long root = parent;
        for (Long next = parents.get(root); next != null; next = parents.get(root)) {
            root = next;
        }
        return OptionalLong.of(root);
    }

    /** Returns the whole numbers that a type holds exactly; empty if it is not a type of numbers. */
    private Optional<ValueRange> range(long type, int modifier) {
        long base = type;
        long typmod = modifier;
        for (long[] domain = domains.get(base); domain != null; domain = domains.get(base)) {
            base = domain[0];
            typmod = domain[1];
        }
        return switch ((int) base) {
            case 21 -> Optional.of(bits(15));
            case 23 -> Optional.of(bits(31));
            case 20 -> Optional.of(bits(63));
            case 700 -> Optional.of(upTo(BigInteger.TWO.pow(24)));
            case 701 -> Optional.of(upTo(BigInteger.TWO.pow(53)));
            case 1700 -> Optional.of(typmod < 4 ? bits(63) : digits(typmod - 4));
            default -> Optional.empty();
        };
    }

    private static ValueRange bits(int bits) {
        BigInteger beyond = BigInteger.TWO.pow(bits);
        return new ValueRange(beyond.negate(), beyond.subtract(BigInteger.ONE));
    }

    private static ValueRange upTo(BigInteger highest) {
        return new ValueRange(highest.negate(), highest);
    }

    /** A numeric's precision is in the upper 16 bits, its scale in the lower 11, the highest of which is the sign. */
    private static ValueRange digits(long precisionAndScale) {
        int precision = (int) (precisionAndScale >> 16) & 0xffff;
        int scale = (((int) precisionAndScale & 0x7ff) ^ 1024) - 1024;
        return upTo(BigInteger.TEN.pow(Math.max(0, precision - scale)).subtract(BigInteger.ONE));
    }
}
