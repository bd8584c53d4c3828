// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.jdbc.inspect.InspectionFault;
import dev.seriatim.jdbc.inspect.InspectionFinding;
import dev.seriatim.jdbc.inspect.NativeSequence;
import dev.seriatim.jdbc.inspect.Remedy;
import java.util.List;
import java.util.Optional;

/** A sequence of Hibernate's whose increment is not 1, which every entity that draws from it has to know. */
final class HibernateIncrementRule implements Rule {

    @Override
    public List<InspectionFinding> find(Facts facts) {
        return facts.inventory().sequences().stream()
                .filter(HibernateNames::steps)
                .flatMap(sequence ->
                        HibernateNames.reason(sequence.name(), facts.tables())
                                .map(reason -> finding(sequence, reason))
                                .stream())
                .toList();
    }

    private static InspectionFinding finding(NativeSequence sequence, String reason) {
        return new InspectionFinding(
                InspectionFault.INCREMENT_BESIDE_HIBERNATE,
                sequence.name().toString(),
                "has increment " + sequence.increment() + ", and is " + reason
                        + ": an entity with another allocationSize repeats numbers or leaves gaps, and so does SQL that adds"
                        + " to them",
                Optional.of(new Remedy(
                        "set allocationSize = " + sequence.increment() + " in each entity that draws from it",
                        Remedy.Kind.ADVICE)));
    }
}
