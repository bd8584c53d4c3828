// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.math.BigInteger;

/**
 * A run of numbers of one kind. Immutable.
 *
 * @param first the first, in the direction of the sequence
 * @param last the last
 * @param count the number of numbers; up to 2<sup>64</sup>
 */
record NumberRange(long first, long last, BigInteger count) {

    /** Returns the numbers at a range of places of a grid. */
    static NumberRange of(Grid grid, long firstPlace, long lastPlace) {
        BigInteger count = new BigInteger(Long.toUnsignedString(lastPlace - firstPlace)).add(BigInteger.ONE);
        return new NumberRange(grid.number(firstPlace), grid.number(lastPlace), count);
    }

    /** Returns these numbers and later ones. */
    NumberRange and(NumberRange later) {
        return new NumberRange(first, later.last, count.add(later.count));
    }

    /** Writes the fields into an open object. */
    void write(JsonWriter json) throws IOException {
        json.name("first").value(Long.toString(first));
        json.name("last").value(Long.toString(last));
        json.name("numbers").value(count.toString());
    }

    @Override
    public String toString() {
        return first == last ? Long.toString(first) : first + " … " + last + " (" + count + " numbers)";
    }
}
