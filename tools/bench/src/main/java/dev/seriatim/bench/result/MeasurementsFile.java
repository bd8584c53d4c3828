// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.SequenceException;
import dev.seriatim.cli.terminal.OneLine;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file that {@code bench --json} wrote. Thread-safe. */
public final class MeasurementsFile {

    private MeasurementsFile() {}

    /**
     * Reads the file.
     *
     * @throws SequenceException.Misconfigured if it cannot be read or has another format
     */
    public static Measurements read(Path file) {
        try {
            return MeasurementsJson.read(Files.readString(file));
        } catch (SequenceException.Misconfigured e) {
            throw refused(file, " is " + e.getMessage());
        } catch (NoSuchFileException e) {
            throw refused(file, ": there is no such file; name one that 'bench --json FILE' wrote");
        } catch (CharacterCodingException e) {
            throw refused(
                    file,
                    " is not a report of bench: it is not UTF-8 text; name a file that 'bench --json FILE' wrote");
        } catch (IOException e) {
            throw refused(file, ": cannot be read: " + e.getMessage() + "; name a file that 'bench --json FILE' wrote");
        }
    }

    private static SequenceException refused(Path file, String why) {
        return new SequenceException.Misconfigured(OneLine.of(file.toString()) + OneLine.of(why));
    }
}
