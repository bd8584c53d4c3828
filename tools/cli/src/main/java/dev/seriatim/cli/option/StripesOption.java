// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import dev.seriatim.striped.Striping;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --stripes}. Not thread-safe. */
public final class StripesOption {

    @Option(
            names = "--stripes",
            paramLabel = "K",
            description = "The sequence is spread over this many counters, called NAME_0_of_K and so on; from 1 to "
                    + Striping.MAX_STRIPES + ".")
    private @Nullable Long stripes;

    public boolean given() {
        return stripes != null;
    }

    public int count() {
        return stripes == null ? 1 : Math.toIntExact(stripes);
    }

    /** Returns what is wrong with it; empty if nothing is. */
    public String wrong() {
        return stripes == null || (stripes >= 1 && stripes <= Striping.MAX_STRIPES)
                ? ""
                : "--stripes must be from 1 to " + Striping.MAX_STRIPES + ", not " + stripes;
    }

    /** Returns the end of a sentence that says what was done. */
    @Override
    public String toString() {
        return stripes == null ? "" : " over " + stripes + (stripes == 1 ? " stripe" : " stripes");
    }
}
