// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import dev.seriatim.bench.scenario.Scenario;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A value of {@code --scenario}. Immutable.
 *
 * @param named one scenario, or all
 */
record Scenarios(List<Scenario> named) {

    /** Parses the name of a scenario, in any case, or {@code all}. */
    static final class Reader implements ITypeConverter<Scenarios> {

        @Override
        public Scenarios convert(String text) {
            String name = text.strip();
            List<Scenario> named = Arrays.stream(Scenario.values())
                    .filter(scenario ->
                            name.equalsIgnoreCase("all") || scenario.title().equalsIgnoreCase(name))
                    .toList();
            if (named.isEmpty()) {
                throw new TypeConversionException("'" + text + "' is not one of "
                        + Arrays.stream(Scenario.values()).map(Scenario::title).collect(Collectors.joining(", "))
                        + ", all");
            }
            return new Scenarios(named);
        }
    }
}
