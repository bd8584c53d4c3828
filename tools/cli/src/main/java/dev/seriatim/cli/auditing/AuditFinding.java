// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import dev.seriatim.cli.terminal.OneLine;
import java.util.LinkedHashMap;
import java.util.Map;

/** One fault in a column: a text without its kind, and fields for JSON. Immutable. */
record AuditFinding(Kind kind, String text, Map<String, Object> fields) {

    /** A kind of fault that can occur many times in a column; called in JSON as in text. */
    enum Kind {
        DUPLICATE,
        /** Numbers that were dealt and are missing while later ones are present. */
        GAP,
        /** Numbers that the sequence does not deal: before its start, or off its step. */
        STRAY,
        /** A number with a later time than a number that should come after it. */
        OUT_OF_ORDER
    }

    /** Numbers that are missing or should not exist. */
    static AuditFinding numbers(Kind kind, NumberRange range) {
        return new AuditFinding(kind, range.toString(), range.fields());
    }

    static AuditFinding duplicate(long number, long rows) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("number", number);
        fields.put("rows", rows);
        return new AuditFinding(Kind.DUPLICATE, number + " (" + rows + " rows)", fields);
    }

    static AuditFinding outOfOrder(long number, long after, String time) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("number", number);
        fields.put("after", after);
        fields.put("time", time);
        return new AuditFinding(Kind.OUT_OF_ORDER, number + " after " + after + ", at " + OneLine.of(time), fields);
    }
}
