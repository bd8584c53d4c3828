// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.verify.trial.Goal;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a goal. */
final class GoalReader implements ITypeConverter<Goal> {

    @Override
    public Goal convert(String text) {
        return Goal.named(text)
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is no goal; use "
                        + Arrays.stream(Goal.values()).map(Goal::word).collect(Collectors.joining(", "))));
    }
}
