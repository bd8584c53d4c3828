// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.draw;

import dev.seriatim.SequenceException;
import dev.seriatim.number.NumberPattern;
import dev.seriatim.number.PermutationKey;
import dev.seriatim.number.Transform;
import java.nio.file.Path;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Prints numbers through a transform and a pattern. Not thread-safe. */
final class Rendering implements LongFunction<String> {

    private final @Nullable NumberPattern pattern;
    private final Transform transform;
    private final String name;

    private Rendering(@Nullable NumberPattern pattern, Transform transform, String name) {
        this.pattern = pattern;
        this.transform = transform;
        this.name = name;
    }

    /** Returns the error in a pattern; empty if there is none. */
    static String wrongPattern(String pattern) {
        try {
            NumberPattern.of(pattern);
            return "";
        } catch (SequenceException.Misconfigured e) {
            return "--format: " + e.getMessage();
        }
    }

    /**
     * Returns the rendering that the options request; reads the key.
     *
     * @throws SequenceException.Misconfigured if the key cannot be read
     */
    static Rendering of(NumberOptions options, String sequence) {
        return new Rendering(
                options.pattern == null ? null : NumberPattern.of(options.pattern), transform(options), sequence);
    }

    private static Transform transform(NumberOptions options) {
        if (options.keyFile != null && options.range != null) {
            PermutationKey key = PermutationKey.readFrom(Path.of(options.keyFile));
            return Transform.permuted(key, options.range.min(), options.range.max());
        }
        return options.bitReversed ? Transform.bitReversed() : Transform.identity();
    }

    /** Returns an exception whose remedy also fits numbers that are printed this way. */
    SequenceException.Exhausted explained(SequenceException.Exhausted e) {
        return transform.exhausted(name, e);
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
