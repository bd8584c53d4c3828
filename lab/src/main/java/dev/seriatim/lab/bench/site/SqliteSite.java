// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.site;

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

/** What is special about a file of SQLite's: it may be missing, and then the benchmark makes one and removes it. */
final class SqliteSite {

    private static final List<String> FILES = List.of("", "-wal", "-shm", "-journal");

    private SqliteSite() {}

    /** Makes what the benchmark needs in a file that lacks it. */
    static void install(OpenStore store) {
        if (store instanceof SchemaInstaller installer) {
            installer.install();
        }
    }

    static boolean isThere(Path file, String table) {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            return false; // opening the store says what is wrong with it
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

    /** Removes a file that the benchmark made. */
    static void remove(Path file) {
        for (String suffix : FILES) {
            try {
                Files.deleteIfExists(Path.of(file + suffix));
            } catch (IOException e) {
                throw new Unavailable("the benchmark made " + file + " and could not remove it (" + e + ")", e);
            }
        }
    }
}
