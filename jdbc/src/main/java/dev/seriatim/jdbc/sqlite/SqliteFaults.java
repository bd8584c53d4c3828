// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sqlite;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/** Finds out why SQLite could not open a file, which its driver does not report. */
final class SqliteFaults {

    private static final int UNLOADED = 0;
    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int READ_ONLY = 8;
    private static final int DISK = 10;
    private static final int CORRUPT = 11;
    private static final int FULL = 13;
    private static final int CANNOT_OPEN = 14;
    private static final int NOT_A_DATABASE = 26;

    private static final Set<Integer> CLOSED = Set.of(UNLOADED, READ_ONLY, CANNOT_OPEN);
    private static final Set<Integer> TRANSIENT = Set.of(BUSY, LOCKED, DISK, FULL);

    static final String JDBC = "jdbc:sqlite:";

    private SqliteFaults() {}

    /** Returns whether this is an error of SQLite's or, without a code, of its driver, which cannot load its library. */
    static boolean is(SQLException e) {
        String cause = String.valueOf(e.getCause());
        return String.valueOf(e.getMessage()).startsWith("[SQLITE_")
                || cause.startsWith("org.sqlite.NativeLibraryNotFoundException")
                || cause.startsWith("java.lang.UnsatisfiedLinkError");
    }

    /** Returns whether the library or a file, such as the log beside the database, could not be opened or is not writable. */
    static boolean closed(SQLException e) {
        return is(e) && CLOSED.contains(e.getErrorCode());
    }

    /** Returns the problem and the remedy, in one line. */
    static String described(String database, String why, SQLException e) {
        return switch (e.getErrorCode()) {
            case UNLOADED -> """
                %s cannot be opened: SQLite's native library does not load from the temporary folder; name a folder \
                without noexec that this user may write to: -Dorg.sqlite.tmpdir=FOLDER""".formatted(database);
            case NOT_A_DATABASE, CORRUPT ->
                database + " is not a SQLite database, or is damaged; name another one, or restore it from a backup";
            case READ_ONLY ->
                database + " is read-only (" + why + "); allow this user to write to the file and its folder"
                        + (database.startsWith(JDBC) ? ", and open it without open_mode=1" : "");
            case FULL -> "no space is left for " + database + " (" + why + "); free some";
            case BUSY, LOCKED ->
                database + " is locked (" + why + "); end the process that holds the lock, or try again later";
            case DISK -> database + " cannot be read or written (" + why + "); check the disk and the system's log";
            default ->
                file(database)
                        .flatMap(file -> wrong(database, file, true))
                        .orElseGet(() -> database + " cannot be opened (" + why
                                + "); allow this user to read and write the file, and to create files in its folder");
        };
    }

    /** Returns whether it may succeed once space is freed or another process releases the file. */
    static boolean isTransient(SQLException e) {
        return TRANSIENT.contains(e.getErrorCode());
    }

    /** Returns the problem with a path, which may be missing if {@code creating}; empty if there is none. */
    static Optional<String> wrong(String name, Path file, boolean creating) {
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            return Optional.of(name + " is a folder; name a file in it");
        }
        if (folder != null && !Files.isDirectory(folder)) {
            return Optional.of(
                    Files.exists(folder)
                            ? name + " is in a folder that is a file; name another folder than " + folder
                            : name + " is in a folder that does not exist; create the folder first: " + folder);
        }
        if (Files.exists(file)) {
            return Files.isReadable(file)
                    ? Optional.empty()
                    : Optional.of(name + " cannot be read by this user; allow this user to read and write it");
        }
        return creating && folder != null && !Files.isWritable(folder)
                ? Optional.of(name + " cannot be created by this user; allow this user to write to " + folder)
                : Optional.empty();
    }

    static Optional<Path> file(String database) {
        String path = database.startsWith(JDBC) ? database.substring(JDBC.length()) : database;
        if (path.startsWith("file:") || path.startsWith(":")) {
            return Optional.empty(); // a URI, or a class-path resource
        }
        try {
            return Optional.of(Path.of(path));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
