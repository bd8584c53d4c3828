// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.sqlite.util.LibraryLoaderUtil;

/** SQLite's native library, which every process would otherwise unpack for itself. */
public final class SqliteLibrary {

    private SqliteLibrary() {}

    /**
     * Unpacks it into a folder, which may then be the system property {@code org.sqlite.lib.path}. Returns false if SQLite does not
     * support this system, which it reports itself.
     */
    public static boolean unpack(Path directory) throws IOException {
        String name = LibraryLoaderUtil.getNativeLibName();
        String resource = LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name;
        try (InputStream library = LibraryLoaderUtil.class.getResourceAsStream(resource)) {
            if (library == null) {
                return false;
            }
            Files.createDirectories(directory);
            Path unpacked = Files.createTempFile(directory, name, "");
            Files.copy(library, unpacked, StandardCopyOption.REPLACE_EXISTING);
            Files.move(unpacked, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
            return true;
        }
    }
}
