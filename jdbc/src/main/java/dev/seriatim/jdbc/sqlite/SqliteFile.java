// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sqlite;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.ClassifiedException;
import dev.seriatim.jdbc.sql.Connections;
import dev.seriatim.jdbc.sql.DriverUrl;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.MissingDatabase;
import dev.seriatim.jdbc.sql.Scrubbing;
import dev.seriatim.jdbc.sql.SessionChange;
import dev.seriatim.jdbc.sql.Sql;
import dev.seriatim.jdbc.sql.SqlFailures;
import dev.seriatim.jdbc.sql.WatchedConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An SQLite file. SQLite allows one writer at a time, so this process has a single connection that writes, and a
 * queue for it: that is fairer and faster than many connections polling the file's lock. Each query opens a
 * connection of its own. Thread-safe; writers take turns first come, first served.
 */
public final class SqliteFile implements Connections {

    static final int READ_ONLY = 1;
    static final int READ_WRITE = 2;
    private static final int CREATE = 4;

    /** Checks a connection that is about to become the writer. */
    @FunctionalInterface
    public interface Check {
        /** Fails if the file must not be written to; {@code creating} if the table may be missing. */
        void writer(Connection connection, boolean creating) throws SQLException;
    }

    private final Path file;
    private final String name;
    private final Duration patience;
    private final Check check;
    // Not through DriverManager, which would load every driver.
    private final Driver driver = DriverUrl.named("sqlite")
            .orElseThrow(
                    () -> new Misconfigured("the SQLite driver is not on the class path; add org.xerial:sqlite-jdbc"));
    private final SessionChange changes = new SessionChange(new SqliteDialect());
    // Not a lock: a shared transaction may end on another thread than it began on.
    private final Semaphore turn = new Semaphore(1, true);
    private volatile @Nullable Thread holder;
    private @Nullable Connection writer;
    private @Nullable Object identity;
    private volatile boolean closed;

    public SqliteFile(Path file, String name, Duration patience, Check check) {
        this.file = file.toAbsolutePath();
        this.name = name;
        this.patience = patience;
        this.check = check;
    }

    @Override
    public Lease forWriting(long deadline) throws SQLException, InterruptedException {
        return written(deadline, false, Thread.currentThread());
    }

    @Override
    public Lease forCallers(long deadline) throws SQLException, InterruptedException {
        return watched(written(deadline, false, Thread.currentThread()));
    }

    @Override
    public Lease forSharing(long deadline) throws SQLException, InterruptedException {
        return watched(written(deadline, false, null));
    }

    /** A caller's code may leave a setting on the writer, such as a pragma. */
    private Lease watched(Lease writer) {
        WatchedConnection watched = new WatchedConnection(writer.connection(), changes);
        return new Lease(
                writer.connection(), watched.lent(), reusable -> writer.release(reusable && watched.isUnchanged()));
    }

    @Override
    public void create(long deadline) throws SQLException, InterruptedException {
        written(deadline, true, Thread.currentThread()).release(true);
    }

    @Override
    public Lease forReading(long deadline) throws SQLException {
        checkOpen();
        Connection connection = open(READ_WRITE, patience);
        return new Lease(connection, reusable -> Sql.close(connection));
    }

    /** {@inheritDoc} Lends the writer, since opening a connection takes longer than the query. */
    @Override
    public Lease forFrequentReading(long deadline) throws SQLException, InterruptedException {
        return written(deadline, false, Thread.currentThread());
    }

    @Override
    public String note() {
        return Files.exists(file) ? "" : MissingDatabase.NOTE;
    }

    @Override
    public void close() {
        closed = true;
        // The current holder of the turn, this thread or another, closes the writer when done.
        if (turn.tryAcquire()) {
            try {
                dropWriter();
            } finally {
                turn.release();
            }
        }
    }

    private Lease written(long deadline, boolean creating, @Nullable Thread by)
            throws SQLException, InterruptedException {
        if (holder == Thread.currentThread()) {
            throw new Misconfigured("""
                    this thread is inside a transaction on %s, which allows one writer at a time; draw inside that \
                    transaction, or before it""".formatted(name));
        }
        if (!turn.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            throw new ClassifiedException(Fault.NO_TURN, "no connection to " + name + " was free in time");
        }
        try {
            Connection connection = writer(creating);
            holder = by;
            return new Lease(connection, this::takeBack);
        } catch (Throwable e) {
            turn.release();
            throw e;
        }
    }

    private void takeBack(boolean reusable) {
        try {
            if (!reusable) {
                dropWriter();
            }
        } finally {
            holder = null;
            turn.release();
        }
        if (closed) {
            close();
        }
    }

    private Connection writer(boolean creating) throws SQLException {
        checkOpen();
        // A file that was deleted or replaced by a backup lives on behind the open connection: never draw from it.
        Object now = identity();
        if (writer != null && (now == null || !now.equals(identity))) {
            dropWriter();
        }
        Connection open = writer;
        if (open == null) {
            open = opened(creating);
            writer = open;
            identity = identity();
        }
        return open;
    }

    private Connection opened(boolean creating) throws SQLException {
        // No waiting inside: callers wait for another process between attempts, until their own deadline.
        Connection connection = open(creating ? READ_WRITE | CREATE : READ_WRITE, Duration.ZERO);
        try {
            check.writer(connection, creating);
            return connection;
        } catch (Throwable e) {
            Sql.close(connection);
            throw e;
        }
    }

    private Connection open(int mode, Duration busy) throws SQLException {
        checkPath((mode & CREATE) != 0);
        Properties settings = new Properties();
        settings.setProperty("open_mode", Integer.toString(mode));
        settings.setProperty("busy_timeout", Long.toString(busy.toMillis()));
        settings.setProperty("transaction_mode", "IMMEDIATE");
        return Scrubbing.OF_ANY_URL.opened(
                () -> Objects.requireNonNull(driver.connect("jdbc:sqlite:" + file, settings)));
    }

    /** Opens an existing file, beside any store over it. */
    public static Connection existing(Path file, String name, Duration busy, boolean readOnly) throws SQLException {
        return new SqliteFile(file, name, busy, (connection, creating) -> {})
                .open(readOnly ? READ_ONLY : READ_WRITE, busy);
    }

    private void checkOpen() {
        if (closed) {
            throw SqlFailures.closed(name);
        }
    }

    private void checkPath(boolean creating) throws SQLException {
        SqliteFaults.wrong(name, file, creating).ifPresent(wrong -> {
            throw new Misconfigured(wrong);
        });
        if (!creating && !Files.exists(file)) {
            throw new MissingDatabase(name);
        }
    }

    private @Nullable Object identity() {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            // Some systems have no file key; there, the file's existence must suffice.
            return Objects.requireNonNullElse(attributes.fileKey(), name);
        } catch (IOException e) {
            return null;
        }
    }

    private void dropWriter() {
        Connection open = writer;
        writer = null;
        if (open != null) {
            Sql.close(open);
        }
    }
}
