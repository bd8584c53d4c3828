// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.store.SequenceCatalog;
import dev.seriatim.striped.Striping;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --stripes}: a sequence is one counter or several. Not thread-safe. */
public final class StripesOption {

    @Option(
            names = "--stripes",
            paramLabel = "K",
            description = "The sequence is spread over this many counters, called NAME_0_of_K and so on; from 1 to "
                    + Striping.MAX_STRIPES + ".")
    private @Nullable Long stripes;

    /** Returns the counters of a sequence if the option is given. */
    public Optional<Striping> of(String name) {
        return Optional.ofNullable(stripes).map(count -> new Striping(name, Math.toIntExact(count)));
    }

    /** Returns the error in the option; empty if there is none. */
    public String wrong() {
        return stripes == null || (stripes >= 1 && stripes <= Striping.MAX_STRIPES)
                ? ""
                : "--stripes must be from 1 to " + Striping.MAX_STRIPES + ", not " + stripes;
    }

    /** Returns the definitions of the sequence, or of its counters. */
    public Stream<SequenceDefinition> counters(SequenceDefinition whole) {
        return of(whole.name())
                .map(striping -> striping.counters(whole).stream())
                .orElse(Stream.of(whole));
    }

    public void create(SequenceCatalog catalog, SequenceDefinition definition) {
        of(definition.name())
                .ifPresentOrElse(striping -> striping.create(catalog, definition), () -> catalog.create(definition));
    }

    /** Returns the end of a sentence, such as ' over 4 stripes'. */
    @Override
    public String toString() {
        return stripes == null ? "" : " over " + stripes + (stripes == 1 ? " stripe" : " stripes");
    }
}
