// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Type;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.ColumnScanner.Visitor;
import dev.seriatim.store.NumberColumn;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceTable;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;

/** A column of a user's table, with valid names. Immutable and thread-safe. */
record SpannerColumn(ColumnName name, SqlDialect sql) {

    SpannerColumn {
        // Spanner has no other names.
        name.schema().ifPresent(schema -> SequenceTable.identifier("schema", schema));
        SequenceTable.identifier("table", name.table());
        SequenceTable.identifier("column", name.column());
    }

    String inSql() {
        return sql.quoted(name.column());
    }

    String tableInSql() {
        return name.tableInSql(sql::quoted);
    }

    /** Returns the highest or the lowest number in the column; empty if it holds none. */
    OptionalLong extreme(ReadContext context, boolean highest, SpannerFailures failures) {
        return select(context, (highest ? "MAX(" : "MIN(") + inSql() + ")", "", failures, rows -> {
            boolean any = rows.next() && !rows.isNull(0);
            requireWholeNumbers(rows.getColumnType(0));
            return any ? OptionalLong.of(rows.getLong(0)) : OptionalLong.empty();
        });
    }

    /** Returns the column's type without reading rows. Throws {@link Misconfigured} if it does not exist. */
    private Type probe(ReadContext context, SpannerFailures failures) {
        return select(context, inSql(), " WHERE FALSE", failures, rows -> {
            rows.next();
            return rows.getColumnType(0);
        });
    }

    /** Passes a user's numbers to a visitor, in the order of its contract; {@code state} is from the same snapshot. */
    static <V extends Visitor> V scan(
            ReadContext snapshot,
            NumberColumn asked,
            SqlDialect sql,
            SequenceState state,
            Function<SequenceState, V> visitor,
            SpannerFailures failures) {
        SpannerColumn numbers = new SpannerColumn(asked.numbers(), sql);
        Optional<SpannerColumn> times = asked.time().map(time -> new SpannerColumn(time, sql));
        numbers.requireWholeNumbers(numbers.probe(snapshot, failures));
        times.ifPresent(time -> time.probe(snapshot, failures));
        V seeing = visitor.apply(state);
        numbers.show(snapshot, asked.from(), times, state.definition().ascending(), seeing);
        return seeing;
    }

    private void show(
            ReadContext snapshot, OptionalLong begin, Optional<SpannerColumn> times, boolean up, Visitor visitor) {
        String number = inSql();
        String direction = up ? "" : " DESC";
        String from = " FROM " + tableInSql() + " WHERE " + number;
        String begun = begin.isPresent() ? " AND " + number + (up ? " >= " : " <= ") + sql.parameter() : "";
        each(snapshot, begin, "SELECT COUNT(*)" + from + " IS NULL", row -> visitor.withoutNumber(row.getLong(0)));
        each(
                snapshot,
                begin,
                "SELECT " + number + from + " IS NOT NULL" + begun + " ORDER BY " + number + direction,
                row -> visitor.number(row.getLong(0)));
        times.map(SpannerColumn::inSql)
                .ifPresent(time -> each(
                        snapshot,
                        begin,
                        "SELECT " + number + ", " + sql.asText(time) + from + " IS NOT NULL AND " + time
                                + " IS NOT NULL" + begun + " ORDER BY " + time + ", " + number + direction,
                        row -> visitor.inTime(row.getLong(0), () -> row.getString(1))));
    }

    private static void each(ReadContext snapshot, OptionalLong begin, String sql, Consumer<ResultSet> show) {
        Statement.Builder query = Statement.newBuilder(sql);
        begin.ifPresent(value -> query.bind("p1").to(value));
        try (ResultSet rows = snapshot.executeQuery(query.build())) {
            while (rows.next()) {
                show.accept(rows);
            }
        }
    }

    private <R> R select(
            ReadContext context, String what, String where, SpannerFailures failures, Function<ResultSet, R> read) {
        Statement query = Statement.of("SELECT " + what + " FROM " + tableInSql() + where);
        try (ResultSet rows = context.executeQuery(query)) {
            return read.apply(rows);
        } catch (SpannerException e) {
            throw explained(e, failures);
        }
    }

    private void requireWholeNumbers(Type type) {
        if (!type.equals(Type.int64())) {
            throw new Misconfigured("column '" + name.column() + "' of table '" + name.qualifiedTable() + "' holds "
                    + type + ", not integers; name a column of type " + sql.integer());
        }
    }

    private SequenceException explained(SpannerException e, SpannerFailures failures) {
        if (SpannerFailures.isMissingTable(e)) {
            return new Misconfigured(
                    failures.database() + " has no table '" + name.qualifiedTable() + "'; check the name of the table",
                    e);
        }
        return SpannerFailures.isMissingColumn(e)
                ? new Misconfigured(
                        "table '" + name.qualifiedTable() + "' of " + failures.database() + " has no column '"
                                + name.column() + "'; check the name of the column",
                        e)
                : failures.general(e);
    }
}
