// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.doctor.inventory.NumberSource.Kind;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads SQL Server's identity columns and sequences, but no rows of tables. Never run on a server. */
final class SqlServerCatalog extends EngineCatalog {

    /** A sequence's current_value is its start until the first use ('sys.sequences'). */
    private static final String SOURCES = """
            SELECT SCHEMA_NAME(n.place), n.name, n.col, CONVERT(DECIMAL(38), n.begins), CONVERT(DECIMAL(38), n.step),
              CONVERT(DECIMAL(38), n.low), CONVERT(DECIMAL(38), n.high), CONVERT(DECIMAL(38), n.latest), n.cycles
            FROM (SELECT t.schema_id AS place, t.name, c.name AS col, c.seed_value AS begins, c.increment_value AS step,
                CASE c.system_type_id WHEN 48 THEN 0 END AS low, CASE c.system_type_id WHEN 48 THEN '255' WHEN 52 THEN '32767'
                  WHEN 56 THEN '2147483647' WHEN 127 THEN '9223372036854775807' ELSE REPLICATE('9', c.[precision]) END AS high,
                c.last_value AS latest, 0 AS cycles
              FROM sys.identity_columns AS c JOIN sys.tables AS t ON t.object_id = c.object_id
              UNION ALL SELECT schema_id, name, NULL, start_value, increment, minimum_value, maximum_value,
                CASE WHEN last_used_value IS NOT NULL THEN current_value END, is_cycling FROM sys.sequences) AS n ORDER BY 1, 2""";

    SqlServerCatalog(Connection connection, InspectionLimits limits) {
        super(connection, limits, "", "", "");
    }

    @Override
    void begin() throws SQLException {
        execute(List.of("SET LOCK_TIMEOUT "
                + Math.min(Integer.MAX_VALUE, limits.statement().toMillis())));
    }

    @Override
    String product() {
        return "SQL Server (not run)";
    }

    @Override
    List<NumberSource> sources() throws SQLException {
        skips.add("columns", "SQL Server's rows are not read");
        return part("sequences", List.of(), () -> rows(SOURCES, SqlServerCatalog::source));
    }

    private static NumberSource source(ResultSet row) throws SQLException {
        ObjectName name = new ObjectName(row.getString(1), row.getString(2));
        Optional<ColumnPath> column = Optional.ofNullable(row.getString(3)).map(of -> new ColumnPath(name, of));
        Kind kind = column.isPresent() ? Kind.IDENTITY : Kind.SEQUENCE;
        BigInteger start = number(row, 4).orElseThrow();
        BigInteger step = number(row, 5).orElseThrow();
        BigInteger high = number(row, 7).orElseThrow();
        ValueRange range = new ValueRange(number(row, 6).orElse(high.not()), high);
        Optional<BigInteger> next = Optional.of(number(row, 8).map(step::add).orElse(start));
        return new NumberSource(kind, name, next, false, start, step, range, row.getBoolean(9), 1, column, List.of());
    }

    private static Optional<BigInteger> number(ResultSet row, int column) throws SQLException {
        return Optional.ofNullable(row.getString(column)).map(BigInteger::new);
    }

    @Override
    Map<ColumnPath, Extent> extents(List<ColumnPath> asked) {
        return Map.of();
    }

    @Override
    Remedies remedies() {
        return new Remedies() {
            @Override
            public Remedy raise(NumberSource source, BigInteger held) {
                throw new UnsupportedOperationException(source.subject() + " " + held);
            }

            @Override
            public Remedy extend(NumberSource source) {
                return source.kind() == Kind.IDENTITY
                        ? Remedy.advice("give the column a wider type, up to DECIMAL(38)")
                        : Remedies.super.extend(source);
            }
        };
    }
}
