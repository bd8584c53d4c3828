// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.NumberPattern;
import dev.seriatim.OpenStore;
import dev.seriatim.PermutationKey;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.Striping;
import dev.seriatim.Transform;
import java.nio.file.Path;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** How numbers are shown that are not shown as they are: through a transform, by a pattern. Not thread-safe. */
final class Rendering implements LongFunction<String> {

    private final @Nullable NumberPattern pattern;
    private final @Nullable PermutationKey key;
    private Transform transform;
    private String name = "";

    private Rendering(@Nullable NumberPattern pattern, @Nullable PermutationKey key, Transform transform) {
        this.pattern = pattern;
        this.key = key;
        this.transform = transform;
    }

    /** What is wrong with a pattern; empty when nothing is. */
    static String wrongPattern(String pattern) {
        try {
            NumberPattern.of(pattern);
            return "";
        } catch (SequenceException.Misconfigured e) {
            return "--format: " + e.getMessage();
        }
    }

    /**
     * As the options say; reads the key.
     *
     * @throws SequenceException.Misconfigured when the key cannot be read
     */
    static Rendering of(NumberOptions options) {
        return new Rendering(
                options.pattern == null ? null : NumberPattern.of(options.pattern),
                options.keyFile == null ? null : PermutationKey.readFrom(Path.of(options.keyFile)),
                options.bitReversed ? Transform.bitReversed() : Transform.identity());
    }

    /** For a sequence: takes its bounds, of which a permutation is one. */
    LongFunction<String> of(OpenStore store, String sequence, StripesOption stripes) {
        name = sequence;
        if (key == null) {
            return this;
        }
        if (stripes.given()) {
            Striping.State state = new Striping(name, stripes.count()).describe(store);
            transform = Transform.permuted(key, state.min(), state.max());
        } else {
            SequenceDefinition definition = store.describe(name).definition();
            transform = Transform.permuted(key, definition);
        }
        return this;
    }

    @Override
    public String apply(long number) {
        try {
            long shown = transform.apply(number);
            return pattern == null ? Long.toString(shown) : pattern.format(shown);
        } catch (SequenceException.OutOfRange e) {
            throw new SequenceException.OutOfRange(name, e);
        }
    }
}
