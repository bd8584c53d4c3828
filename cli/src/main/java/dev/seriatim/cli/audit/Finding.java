// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.audit;

import com.google.gson.stream.JsonWriter;
import dev.seriatim.cli.terminal.OneLine;
import java.io.IOException;
import java.math.BigInteger;

/** One fault of a column. As a text it says what and where, but not of which kind. Values; immutable. */
sealed interface Finding {

    Kind kind();

    /** How many numbers are missing, or rows wrong. */
    BigInteger amount();

    /** Writes the fields of an object that is open. */
    void write(JsonWriter json) throws IOException;

    /** Numbers that are missing, or that should not be there. */
    record Numbers(Kind kind, NumberRange range) implements Finding {

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
    record Duplicate(long number, long rows) implements Finding {

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

    /** A number of a later time than another one that should come after it. */
    record OutOfOrder(long number, long after, String time) implements Finding {

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
