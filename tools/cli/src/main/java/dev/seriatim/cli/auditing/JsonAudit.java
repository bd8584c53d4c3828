// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import com.google.gson.stream.JsonWriter;
import dev.seriatim.cli.terminal.JsonText;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.NumberColumn;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Prints an audit as one JSON object. 64-bit numbers and counts are strings. Not thread-safe. */
final class JsonAudit implements AuditReport {

    @FunctionalInterface
    private interface Fields {
        void write() throws IOException;
    }

    private final PrintWriter out;
    private final JsonWriter json;
    /** Written with the first finding or the result, so that an earlier failure prints nothing. */
    private Fields opening = () -> {};

    JsonAudit(PrintWriter out) {
        this.out = out;
        json = JsonText.writer(out);
    }

    @Override
    public void begin(String sequence, NumberColumn column, Dealt dealt) {
        opening = () -> {
            json.beginObject();
            field("sequence", sequence);
            field("table", column.numbers().qualifiedTable());
            field("column", column.numbers().column());
            field("ordered_by", column.time().map(ColumnName::column).orElse(null));
            field("from", dealt.grid().from());
            field("dealt_to", dealt.numbers().map(NumberRange::last).orElse(null));
            json.name("findings").beginArray();
        };
    }

    @Override
    public void found(AuditFinding finding) {
        written(() -> {
            json.beginObject();
            field("kind", finding.kind().key());
            finding.write(json);
            json.endObject();
        });
    }

    @Override
    public void end(AuditResult outcome) {
        FindingTally tally = outcome.tally();
        boolean ordered = outcome.withoutTime().isPresent();
        written(() -> {
            json.endArray();
            field("rows", outcome.rows());
            field("rows_without_number", outcome.withoutNumber());
            field("rows_without_time", ordered ? outcome.withoutTime().getAsLong() : null);
            field("duplicates", tally.count(Kind.DUPLICATE));
            field("surplus_rows", tally.amount(Kind.DUPLICATE));
            field("gaps", tally.count(Kind.GAP));
            field("missing_numbers", tally.amount(Kind.GAP));
            field("strays", tally.amount(Kind.STRAY));
            field("out_of_order", ordered ? tally.count(Kind.OUT_OF_ORDER) : null);
            field("undealt", outcome.undealt());
            field("in_pool", outcome.inPool());
            field("at_end", outcome.atEnd());
            json.endObject().flush();
        });
        out.println();
    }

    private void field(String name, @Nullable Object value) throws IOException {
        json.name(name).value(value == null ? null : value.toString());
    }

    private void field(String name, Optional<NumberRange> range) throws IOException {
        json.name(name);
        if (range.isEmpty()) {
            json.nullValue();
            return;
        }
        json.beginObject();
        range.get().write(json);
        json.endObject();
    }

    private void written(Fields fields) {
        try {
            opening.write();
            opening = () -> {};
            fields.write();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
