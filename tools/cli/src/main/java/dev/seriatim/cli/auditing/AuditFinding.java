// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import com.google.gson.stream.JsonWriter;
import dev.seriatim.cli.terminal.OneLine;
import java.io.IOException;
import java.math.BigInteger;

/** One fault in a column. Its text describes it without its kind. Immutable. */
sealed interface AuditFinding {

    Kind kind();

    /** Returns the number of missing numbers, or of wrong rows. */
    BigInteger amount();

    /** Writes the fields into an open object. */
    void write(JsonWriter json) throws IOException;

    /** Numbers that are missing or should not exist. */
    record Numbers(Kind kind, NumberRange range) implements AuditFinding {

        @Override
        public BigInteger amount() {
            return range.count();
        }

        @Override
        public void write(JsonWriter json) throws IOException {
            range.write(json);
        }

        @Override
        public String toString() {
            return range.toString();
        }
    }

    /** A number in several rows. */
    record Duplicate(long number, long rows) implements AuditFinding {

        @Override
        public Kind kind() {
            return Kind.DUPLICATE;
        }

        @Override
        public BigInteger amount() {
            return BigInteger.valueOf(rows - 1);
        }

        @Override
        public void write(JsonWriter json) throws IOException {
            json.name("number").value(Long.toString(number));
            json.name("rows").value(Long.toString(rows));
        }

        @Override
        public String toString() {
            return number + " (" + rows + " rows)";
        }
    }

    /** A number with a later time than a number that should come after it. */
    record OutOfOrder(long number, long after, String time) implements AuditFinding {

        @Override
        public Kind kind() {
            return Kind.OUT_OF_ORDER;
        }

        @Override
        public BigInteger amount() {
            return BigInteger.ONE;
        }

        @Override
        public void write(JsonWriter json) throws IOException {
            json.name("number").value(Long.toString(number));
            json.name("after").value(Long.toString(after));
            json.name("time").value(time);
        }

        @Override
        public String toString() {
            return number + " after " + after + ", at " + OneLine.of(time);
        }
    }
}
