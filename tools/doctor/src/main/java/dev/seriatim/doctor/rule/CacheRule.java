// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.jdbc.inspect.EngineInspection;
import dev.seriatim.jdbc.inspect.InspectionFault;
import dev.seriatim.jdbc.inspect.InspectionFinding;
import dev.seriatim.jdbc.inspect.NativeSequence;
import java.util.List;
import java.util.Optional;

/** A cache that changes the order of numbers, or, where it does not, one that loses more of them than usual. */
final class CacheRule implements Rule {

    @Override
    public List<InspectionFinding> find(Facts facts) {
        return facts.engine().map(engine -> find(facts, engine)).orElse(List.of());
    }

    private static List<InspectionFinding> find(Facts facts, EngineInspection engine) {
        return facts.sources().stream()
                .flatMap(source ->
                        source.sequence().flatMap(sequence -> finding(source.subject(), sequence, engine)).stream())
                .toList();
    }

    private static Optional<InspectionFinding> finding(
            String subject, NativeSequence sequence, EngineInspection engine) {
        long cache = sequence.cache();
        if (engine.cachesReorder()) {
            return cache <= 1
                    ? Optional.empty()
                    : Optional.of(new InspectionFinding(
                            InspectionFault.CACHE_REORDERS,
                            subject,
                            "its cache deals " + cache
                                    + " numbers to each session: later rows get lower numbers, and what a"
                                    + " session has not used when it ends is lost",
                            Optional.of(engine.noCache(sequence))));
        }
        return cache <= engine.usualCache()
                ? Optional.empty()
                : Optional.of(new InspectionFinding(
                        InspectionFault.CACHE_LOSES,
                        subject,
                        "its cache holds " + cache + " numbers, and a restart loses those that are left",
                        Optional.of(engine.noCache(sequence))));
    }
}
