// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Statement;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.store.ColumnScanner.Visitor;
import dev.seriatim.store.NumberColumn;
import dev.seriatim.store.SequenceState;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads a column of a user's table number by number, from the same snapshot as the sequence. Immutable and thread-safe.
 */
record ColumnWalk(
        SpannerColumn numbers,
        Optional<SpannerColumn> times,
        OptionalLong begin,
        SpannerDatabase database,
        Cells cells,
        SpannerFailures failures) {

    static ColumnWalk over(NumberColumn asked, SpannerDatabase database, Cells cells, SpannerFailures failures) {
        return new ColumnWalk(
                new SpannerColumn(asked.numbers()),
                asked.time().map(SpannerColumn::new),
                asked.from(),
                database,
                cells,
                failures);
    }

    /** Passes everything to a visitor, in the order that its contract defines. */
    <V extends Visitor> V run(String name, Function<SequenceState, V> visitor) {
        try (var snapshot = database.client().readOnlyTransaction()) {
            SequenceState state = cells.read(snapshot, name).orElseThrow(() -> new NotFound(name, failures.place()));
            numbers.check(snapshot, failures);
            times.ifPresent(time -> time.probe(snapshot, failures));
            V seeing = visitor.apply(state);
            show(snapshot, state.definition().ascending(), seeing);
            return seeing;
        } catch (SpannerException e) {
            throw failures.of(name, e);
        }
    }

    private void show(ReadContext snapshot, boolean up, Visitor visitor) {
        String number = numbers.inSql();
        String direction = up ? "" : " DESC";
        String from = " FROM " + numbers.tableInSql() + " WHERE " + number;
        String begun = begin.isPresent() ? " AND " + number + (up ? " >= " : " <= ") + "@begin" : "";
        each(snapshot, "SELECT COUNT(*)" + from + " IS NULL", row -> visitor.withoutNumber(row.getLong(0)));
        each(
                snapshot,
                "SELECT " + number + from + " IS NOT NULL" + begun + " ORDER BY " + number + direction,
                row -> visitor.number(row.getLong(0)));
        times.map(SpannerColumn::inSql)
                .ifPresent(time -> each(
                        snapshot,
                        "SELECT " + number + ", CAST(" + time + " AS STRING)" + from + " IS NOT NULL AND " + time
                                + " IS NOT NULL" + begun + " ORDER BY " + time + ", " + number + direction,
                        row -> visitor.inTime(row.getLong(0), () -> row.getString(1))));
    }

    private void each(ReadContext snapshot, String sql, Consumer<ResultSet> show) {
        Statement.Builder query = Statement.newBuilder(sql);
        if (begin.isPresent()) {
            query.bind("begin").to(begin.getAsLong());
        }
        try (ResultSet rows = snapshot.executeQuery(query.build())) {
            while (rows.next()) {
                show.accept(rows);
            }
        }
    }
}
