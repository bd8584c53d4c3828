// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.doctor.inventory.Inventory;
import dev.seriatim.doctor.inventory.NumberSource;
import dev.seriatim.doctor.inventory.Remedies;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.Optional;

/** The facts that rules look at. Immutable. */
public record Facts(Inventory inventory, CounterCommands commands, Forecast forecast) {

    /** Says when numbers run out. */
    @FunctionalInterface
    public interface Forecast {

        /** A forecast without a history, which says nothing. */
        Forecast NONE = (source, last) -> Optional.empty();

        /**
         * Returns the day on which a source has generated its {@code last} number, at its pace so far.
         *
         * @return empty if its pace is not known, it stands still, or that is more than 10,000 years away
         */
        Optional<LocalDate> reaches(NumberSource source, BigInteger last);
    }

    /** Returns what mends a source: commands for a sequence of this library, the engine's statements for others. */
    Remedies remedies(NumberSource source) {
        return source.kind() == NumberSource.Kind.COUNTER
                ? commands
                : inventory.remedies().orElseThrow();
    }

    /** Returns the day on which a source has generated its {@code last} number, as the end of a sentence. */
    String date(NumberSource source, BigInteger last, String what) {
        return forecast.reaches(source, last)
                .map(day -> "; at its pace so far, " + what + " on " + day)
                .orElse("");
    }
}
