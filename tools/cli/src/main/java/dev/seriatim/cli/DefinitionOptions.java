// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.SequenceDefinition;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that define a sequence, named as in SQL. Not thread-safe. */
final class DefinitionOptions {

    @Option(names = "--start-with", paramLabel = "N", description = "The first value.")
    private @Nullable Long start;

    @Option(names = "--increment-by", paramLabel = "N", description = "The step; negative counts down.")
    private @Nullable Long increment;

    @Option(names = "--min-value", paramLabel = "N", description = "The lowest value.")
    private @Nullable Long min;

    @Option(names = "--max-value", paramLabel = "N", description = "The highest value.")
    private @Nullable Long max;

    @Option(names = "--cycle", negatable = true, description = "Whether to start over after the last value.")
    private @Nullable Boolean cycle;

    @Option(names = "--cache", paramLabel = "N", description = "Values per block, unless the mode overrides it.")
    private @Nullable Long cache;

    boolean none() {
        return start == null && increment == null && min == null && max == null && cycle == null && cache == null;
    }

    /** Applies the given options to a definition. */
    SequenceDefinition over(SequenceDefinition.Builder definition) {
        Optional.ofNullable(start).ifPresent(definition::startWith);
        Optional.ofNullable(increment).ifPresent(definition::incrementBy);
        Optional.ofNullable(min).ifPresent(definition::minValue);
        Optional.ofNullable(max).ifPresent(definition::maxValue);
        Optional.ofNullable(cycle).ifPresent(definition::cycle);
        Optional.ofNullable(cache).ifPresent(definition::cache);
        return definition.build();
    }
}
