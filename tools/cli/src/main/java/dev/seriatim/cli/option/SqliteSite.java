// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import dev.seriatim.SequenceException.Unavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * An SQLite file in which a command has its own tables for a while. Afterwards, the file is restored: it is deleted if
 * it was missing and is empty, and has its earlier journal mode, unless other programs have it open. Immutable.
 */
public record SqliteSite(Path file, boolean existed, boolean changesJournal) {

    private static final List<String> FILES = List.of("", "-wal", "-shm", "-journal");
    private static final String WAL = "wal";

    /** SQLITE_BUSY. */
    private static final int BUSY = 5;

    /** Records the state of a file before a store is opened in it; opening it reports problems with the file. */
    public static SqliteSite of(Path file) {
        boolean changesJournal = false;
        if (isReadable(file)) {
            try (Connection connection = connect(file)) {
                changesJournal = !read(connection, "PRAGMA journal_mode").equals(WAL);
            } catch (SQLException e) {
                // no database
            }
        }
        return new SqliteSite(file, Files.exists(file), changesJournal);
    }

    private static boolean isReadable(Path file) {
        return Files.isReadable(file) && !Files.isDirectory(file);
    }

    public static boolean isThere(Path file, String table) {
        if (!isReadable(file)) {
            return false;
        }
        try (Connection connection = connect(file);
                PreparedStatement query = connection.prepareStatement(
                        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND lower(name) = lower(?)")) {
            query.setString(1, table);
            try (ResultSet found = query.executeQuery()) {
                return found.next();
            }
        } catch (SQLException e) {
            return false; // no database
        }
    }

    /** Restores the file; call it after the tables are dropped and the store is closed. */
    public void leave() {
        if (!Files.exists(file) || (existed && !changesJournal)) {
            return;
        }
        try {
            if (isUnused() && !existed) {
                for (String suffix : FILES) {
                    Files.deleteIfExists(Path.of(file + suffix));
                }
            }
        } catch (IOException | SQLException e) {
            if (!existed) {
                throw new Unavailable("cannot delete " + file + ", which was created for this run (" + e + ")", e);
            }
        }
    }

    /** Restores the journal mode, unless others have the file open; returns whether the file is empty. */
    private boolean isUnused() throws SQLException {
        try (Connection connection = connect(file)) {
            return !read(connection, "PRAGMA journal_mode = DELETE").equals(WAL)
                    && read(connection, "SELECT count(*) FROM sqlite_master WHERE name NOT LIKE 'sqlite^_%' ESCAPE '^'")
                            .equals("0");
        } catch (SQLException e) {
            if (e.getErrorCode() == BUSY) {
                return false;
            }
            throw e;
        }
    }

    private static Connection connect(Path file) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + file);
    }

    private static String read(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(query)) {
            return found.next() ? found.getString(1) : "";
        }
    }
}
