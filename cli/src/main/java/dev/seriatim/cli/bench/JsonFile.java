// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import dev.seriatim.SequenceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file that a report goes to; found out to be none before the measuring begins, not after it. Immutable. */
record JsonFile(Path path) {

    /**
     * Checks that the file can be written.
     *
     * @throws SequenceException.Misconfigured when it cannot
     */
    JsonFile {
        Path folder = path.toAbsolutePath().getParent();
        if (Files.isDirectory(path)) {
            throw refused(path, "it is a directory; name a file in it");
        }
        if (folder == null || !Files.isDirectory(folder)) {
            throw refused(path, "there is no directory " + folder + "; make it first");
        }
        if (!Files.isWritable(Files.exists(path) ? path : folder)) {
            throw refused(path, "not allowed; choose another place");
        }
    }

    void write(String text) {
        try {
            Files.writeString(path, text + System.lineSeparator());
        } catch (IOException e) {
            throw refused(path, e.toString());
        }
    }

    private static SequenceException refused(Path path, String why) {
        return new SequenceException.Misconfigured("--json: cannot write '" + path + "': " + why);
    }
}
