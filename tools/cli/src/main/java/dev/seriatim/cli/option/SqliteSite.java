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
 * An SQLite file in which a command of the laboratory has tables of its own for a while. Afterwards it is as it was: missing, if
 * nobody else has put anything into it, and in the journal mode that it had, unless others have it open. Immutable.
 */
public final class SqliteSite {

    private static final List<String> FILES = List.of("", "-wal", "-shm", "-journal");
    private static final String WAL = "wal";

    /** SQLITE_BUSY. */
    private static final int BUSY = 5;

    private final Path file;
    private final boolean existed;
    private final boolean changesJournal;

    private SqliteSite(Path file, boolean existed, boolean changesJournal) {
        this.file = file;
        this.existed = existed;
        this.changesJournal = changesJournal;
    }

    /** Remembers how a file is before a store is opened in it. */
    public static SqliteSite of(Path file) {
        if (!Files.exists(file)) {
            return new SqliteSite(file, false, false);
        }
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            return new SqliteSite(file, true, false); // opening the store reports the problem
        }
        try (Connection connection = connect(file)) {
            return new SqliteSite(
                    file, true, !read(connection, "PRAGMA journal_mode").equals(WAL));
        } catch (SQLException e) {
            return new SqliteSite(file, true, false); // the same
        }
    }

    /** Returns whether the file has a table of this name. */
    public static boolean isThere(Path file, String table) {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            return false; // the same
        }
        try (Connection connection = connect(file);
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

    /**
     * Leaves the file as it was; call it after the tables are dropped and the store is closed.
     *
     * @throws Unavailable if a file that was missing cannot be deleted
     */
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

    /** Sets the journal mode back, which SQLite refuses while others have the file open; returns whether nothing is in it. */
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
