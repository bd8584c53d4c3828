// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import dev.seriatim.cli.auditing.AuditFinding.Kind;
import dev.seriatim.cli.terminal.JsonText;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.NumberColumn;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints an audit as one JSON object. Not thread-safe. */
final class JsonAudit implements Audit.Report {

    private final PrintWriter out;
    private final JsonText json;
    /** Printed with the first finding or the result, so that an earlier failure prints nothing. */
    private final Map<String, @Nullable Object> opening = new LinkedHashMap<>();

    private final boolean ordered;

    JsonAudit(String sequence, NumberColumn column, Dealt dealt, PrintWriter out) {
        this.out = out;
        json = new JsonText(out);
        ordered = column.time().isPresent();
        opening.put("sequence", sequence);
        opening.put("table", column.numbers().qualifiedTable());
        opening.put("column", column.numbers().column());
        opening.put("ordered by", column.time().map(ColumnName::column).orElse(null));
        opening.put("from", dealt.from());
        opening.put("dealt to", dealt.numbers().map(NumberRange::last).orElse(null));
    }

    @Override
    public void found(AuditFinding finding) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("kind", finding.kind().name().toLowerCase(Locale.ROOT));
        fields.putAll(finding.fields());
        open();
        json.print(fields);
    }

    private void open() {
        if (!opening.isEmpty()) {
            json.open(opening, "findings");
            opening.clear();
        }
    }

    @Override
    public void end(Audit audit) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("rows", audit.rows);
        fields.put("rows without number", audit.withoutNumber);
        fields.put("rows without time", ordered ? audit.rows - audit.rowsInTime : null);
        fields.put("duplicates", audit.count(Kind.DUPLICATE));
        fields.put("surplus rows", audit.amount(Kind.DUPLICATE));
        fields.put("gaps", audit.count(Kind.GAP));
        fields.put("missing numbers", audit.amount(Kind.GAP));
        fields.put("strays", audit.amount(Kind.STRAY));
        fields.put("out of order", ordered ? audit.count(Kind.OUT_OF_ORDER) : null);
        fields.put("undealt", audit.undealt.range().map(NumberRange::fields).orElse(null));
        fields.put("in pool", audit.pool.all().map(NumberRange::fields).orElse(null));
        fields.put("at end", audit.missingAtEnd().map(NumberRange::fields).orElse(null));
        open();
        json.close(fields);
        out.println();
    }
}
