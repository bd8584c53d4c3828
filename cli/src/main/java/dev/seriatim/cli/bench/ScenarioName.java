// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a scenario, in any case, or {@code all}. */
final class ScenarioName implements ITypeConverter<List<Scenario>> {

    @Override
    public List<Scenario> convert(String text) {
        String name = text.strip();
        if (name.equalsIgnoreCase("all")) {
            return List.of(Scenario.values());
        }
        return Arrays.stream(Scenario.values())
                .filter(scenario -> scenario.title().equalsIgnoreCase(name))
                .map(List::of)
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is not one of "
                        + Arrays.stream(Scenario.values()).map(Scenario::title).collect(Collectors.joining(", "))
                        + ", all"));
    }
}
