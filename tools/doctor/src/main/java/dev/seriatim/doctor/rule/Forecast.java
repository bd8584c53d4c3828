// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import java.math.BigInteger;
import java.time.LocalDate;
import java.util.Optional;

/** Says when numbers run out. */
@FunctionalInterface
public interface Forecast {

    /** One without a history, which says nothing. */
    Forecast NONE = (source, last) -> Optional.empty();

    /**
     * Returns the day on which a source has generated its {@code last} number, at its pace so far.
     *
     * @return empty if its pace is not known, it stands still, or that is more than 10,000 years away
     */
    Optional<LocalDate> reaches(RuleSource source, BigInteger last);
}
