// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import java.math.BigInteger;
import java.util.Optional;

/** What mends the sources of one engine, or those of this library. Implementations are immutable and thread-safe. */
public interface Remedies {

    /** Raises a source so that it next generates a number beyond {@code held}. Beside draws, a sequence never moves back. */
    Remedy raise(NumberSource source, BigInteger held);

    /** Gives a source more numbers. */
    default Remedy extend(NumberSource source) {
        return Remedy.advice(
                "let it run further with ALTER SEQUENCE … " + (source.ascending() ? "MAXVALUE" : "MINVALUE"));
    }

    /** Widens the type of a column that holds the numbers of a source. */
    default Remedy widen(NumberSource source, NumberedColumn column) {
        throw new UnsupportedOperationException(column.path());
    }

    /** Ends what {@code CYCLES}, {@code CACHE_REORDERS} or {@code CACHE_LOSES} is about. */
    default Remedy redefine(NumberSource source, Fault fault) {
        throw new UnsupportedOperationException(source.subject() + " " + fault);
    }

    /** Returns {@code CACHE_REORDERS} or {@code CACHE_LOSES} if the cache of a sequence does so. */
    default Optional<Fault> ofCache(NumberSource sequence) {
        return Optional.empty();
    }

    /** Makes a sequence belong to the column that draws from it; empty if the engine has no owners. */
    default Optional<Remedy> own(NumberSource sequence, NumberedColumn by) {
        return Optional.empty();
    }
}
