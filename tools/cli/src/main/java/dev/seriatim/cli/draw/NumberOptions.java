// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.draw;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for how a number is printed. Not thread-safe. */
final class NumberOptions {

    @Option(
            names = "--format",
            paramLabel = "PATTERN",
            description = "Write each number by a pattern, such as INV-{seq:6}.")
    @Nullable
    String pattern;

    @Option(
            names = "--bit-reversed",
            description = "Reverse the low 63 bits, so that consecutive numbers are far apart.")
    boolean bitReversed;

    @Option(
            names = "--permute-key-file",
            paramLabel = "FILE",
            description = {
                "Permute the numbers of a range by the secret in this file, which has 16 bytes or more and mode 600.",
                "Create one with (umask 077; head -c 32 /dev/urandom > FILE)"
            })
    @Nullable
    String keyFile;

    @Option(
            names = "--permute-range",
            paramLabel = "MIN..MAX",
            converter = PermutedRange.Reader.class,
            description =
                    "The range to permute: the sequence's bounds when its first number was permuted. It is part of the key.")
    @Nullable
    PermutedRange range;

    boolean given() {
        return pattern != null || bitReversed || keyFile != null;
    }

    /** Returns what is wrong with them; empty if nothing is. */
    String wrong() {
        if (bitReversed && keyFile != null) {
            return "--bit-reversed and --permute-key-file exclude each other: permuted numbers are spread already, and reversing"
                    + " them would exceed the sequence's bounds; use one of them";
        }
        if (keyFile != null && range == null) {
            return "--permute-key-file needs --permute-range MIN..MAX: the sequence's bounds when its first number was permuted;"
                    + " under any other range numbers would be dealt again";
        }
        if (keyFile == null && range != null) {
            return "--permute-range goes with --permute-key-file only";
        }
        return pattern == null ? "" : Rendering.wrongPattern(pattern);
    }
}
