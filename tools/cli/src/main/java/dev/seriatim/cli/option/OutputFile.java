// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import dev.seriatim.SequenceException;
import dev.seriatim.cli.terminal.OneLine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The file that an option names for a report, null if it is not given; checked before measuring, not after. Immutable. */
public record OutputFile(String option, @Nullable Path path) {

    private static final byte[] DATABASE = "SQLite format 3".getBytes(StandardCharsets.US_ASCII);

    /** Throws {@link SequenceException.Misconfigured} if the file cannot be written. */
    public OutputFile {
        if (path != null) {
            check(option, path);
        }
    }

    private static void check(String option, Path path) {
        if (path.toString().equals("-")) {
            throw refused(option, path, """
                    name a file; for JSON on standard output, use --format json""");
        }
        Path folder = path.toAbsolutePath().getParent();
        if (Files.isDirectory(path)) {
            throw refused(option, path, "it is a directory; name a file in it");
        }
        if (folder == null || !Files.isDirectory(folder)) {
            throw refused(option, path, "there is no directory " + folder + "; create it first");
        }
        if (!Files.isWritable(Files.exists(path) ? path : folder)) {
            throw refused(option, path, "permission denied; choose another file");
        }
        if (isDatabase(path)) {
            throw refused(option, path, "it is an SQLite database; choose another file");
        }
    }

    /** Throws {@link SequenceException.Misconfigured} if two options name one file; {@code read} is one that is read. */
    public static void distinct(@Nullable Path read, OutputFile... files) {
        Set<Path> paths = new HashSet<>(read == null ? Set.of() : Set.of(real(read)));
        for (OutputFile file : files) {
            if (file.path != null && !paths.add(real(file.path))) {
                throw refused(file.option, file.path, """
                        another option names it; choose another file""");
            }
        }
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) { // there is no such file
            return path.toAbsolutePath().normalize();
        }
    }

    private static boolean isDatabase(Path path) {
        if (!Files.isRegularFile(path)) {
            return false;
        }
        try (InputStream begin = Files.newInputStream(path)) {
            return Arrays.equals(begin.readNBytes(DATABASE.length), DATABASE);
        } catch (IOException e) {
            return false; // it can be written and not read, so it can be no database of this user's
        }
    }

    /** Writes a text if the option is given. Throws {@link SequenceException.Misconfigured} if that fails. */
    public void write(Supplier<String> text) {
        if (path != null) {
            try {
                Files.writeString(path, text.get());
            } catch (IOException e) {
                throw refused(option, path, OneLine.why(e) + "; choose another file");
            }
        }
    }

    private static SequenceException refused(String option, Path path, String why) {
        return new SequenceException.Misconfigured(option + ": cannot write '" + path + "': " + why);
    }
}
