// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.store;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SchemaInstaller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** A SQLite file that may be missing: then a command of the laboratory creates one and deletes it. */
public final class SqliteSite {

    private static final List<String> FILES = List.of("", "-wal", "-shm", "-journal");

    private SqliteSite() {}

    /** Creates the tables. */
    public static void install(OpenStore store) {
        if (store instanceof SchemaInstaller installer) {
            installer.install();
        }
    }

    /** Returns whether a file has a table of this name. */
    public static boolean isThere(Path file, String table) {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            return false; // opening the store reports the problem
        }
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                PreparedStatement query = connection.prepareStatement(
                        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND lower(name) = lower(?)")) {
            query.setString(1, table);
            try (ResultSet found = query.executeQuery()) {
                return found.next();
            }
        } catch (SQLException e) {
            return false; // the same
        }
    }

    /** Deletes a file that the command created. */
    public static void remove(Path file) {
        for (String suffix : FILES) {
            try {
                Files.deleteIfExists(Path.of(file + suffix));
            } catch (IOException e) {
                throw new Unavailable("cannot delete " + file + ", which was created for this run (" + e + ")", e);
            }
        }
    }
}
