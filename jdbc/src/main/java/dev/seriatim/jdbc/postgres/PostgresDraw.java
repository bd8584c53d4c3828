// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.jdbc.dialect.ClassifiedException;
import dev.seriatim.jdbc.dialect.Fault;
import dev.seriatim.jdbc.natives.DrawnValues;
import dev.seriatim.jdbc.natives.NativeDraw;
import dev.seriatim.jdbc.natives.NativeEngine;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.regex.Pattern;

/** The statement that draws from a sequence in PostgreSQL's family. */
final class PostgresDraw {

    private static final Pattern BRACED = Pattern.compile("\\{([^}]+)}");

    private static final String ONE = "SELECT " + PostgresSequenceSql.COLUMNS
            + ", pg_catalog.nextval(CAST(d.seqrelid AS pg_catalog.regclass)), 1" + PostgresSequenceSql.FROM
            + PostgresSequenceSql.WHICH;

    // Contiguous values have the same distance from their row number: grouping by it finds them, in arithmetic that is
    // exact at both ends of 64 bits.
    private static final String MANY = catalogued("SELECT " + PostgresSequenceSql.COLUMNS + ", drawn.first, drawn.count"
                    + PostgresSequenceSql.FROM
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
            + PostgresSequenceSql.WHICH;

    private PostgresDraw() {}

    /** Qualifies the names in braces. */
    private static String catalogued(String sql) {
        return BRACED.matcher(sql)
                .replaceAll(found -> Character.isLetter(found.group(1).charAt(0))
                        ? PostgresFamily.ownFunction(found.group(1))
                        : PostgresFamily.ownOperator(found.group(1)));
    }

    /**
     * Draws values.
     *
     * @param before a statement to run first, in the same round trip; may be empty
     */
    static DrawnValues draw(Connection connection, String name, long count, String before) throws SQLException {
        NativeName parsed = NativeName.of(name);
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
                return longest(piece, name);
            }
        } catch (SQLException e) {
            throw PostgresSequenceSql.missing(e, name);
        }
    }

    static boolean exhausted(SQLException e) {
        return "2200H".equals(e.getSQLState());
    }

    private static DrawnValues longest(ResultSet piece, String name) throws SQLException {
        long first = 0;
        long count = 0;
        long total = 0;
        SequenceDefinition definition = null;
        while (piece.next()) {
            definition = definition == null ? NativeEngine.told(piece, name) : definition;
            total += piece.getLong(PostgresSequenceSql.NAME + 2);
            if (piece.getLong(PostgresSequenceSql.NAME + 2) > count) {
                first = piece.getLong(PostgresSequenceSql.NAME + 1);
                count = piece.getLong(PostgresSequenceSql.NAME + 2);
            }
        }
        if (definition == null) {
            throw new ClassifiedException(Fault.MISSING_TABLE, "no sequence " + name);
        }
        return new DrawnValues(definition, new Block(first, count, definition.increment()), total);
    }
}
