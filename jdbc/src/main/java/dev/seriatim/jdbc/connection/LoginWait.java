// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.connection;

import dev.seriatim.jdbc.failure.LateLogin;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Limits how long a driver may take to log in: most wait without end for a server that accepts the connection and stays silent.
 * The driver connects on a thread of its own, since no limit of JDBC's holds for every driver and for one connection.
 */
public final class LoginWait {

    /** What a driver does. */
    @FunctionalInterface
    public interface Login {
        Connection open() throws SQLException;
    }

    private LoginWait() {}

    /**
     * Opens a connection. One that is opened too late is closed. Like a driver, it ignores interruptions.
     *
     * @throws LateLogin if the time is over
     */
    public static Connection atMost(Duration limit, Login login) throws SQLException {
        CompletableFuture<Connection> opened = new CompletableFuture<>();
        Thread thread = new Thread(() -> run(login, opened), "seriatim-login");
        thread.setDaemon(true);
        thread.start();
        try {
            return await(opened, limit);
        } catch (TimeoutException e) {
            LateLogin late = new LateLogin(limit, isConnected(thread));
            if (opened.completeExceptionally(late)) {
                throw late;
            }
            return opened.join(); // at the last moment
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof SQLException sql) {
                throw sql;
            }
            if (cause instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            if (cause instanceof Error error) {
                throw error;
            }
            throw new SQLException(cause);
        }
    }

    private static void run(Login login, CompletableFuture<Connection> opened) {
        try {
            Connection connection = login.open();
            if (!opened.complete(connection)) {
                Lender.close(connection);
            }
        } catch (Throwable e) {
            opened.completeExceptionally(e);
        }
    }

    private static Connection await(CompletableFuture<Connection> opened, Duration limit)
            throws ExecutionException, TimeoutException {
        long end = System.nanoTime() + limit.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return opened.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns whether a thread is past the call that connects to the server. */
    private static boolean isConnected(Thread thread) {
        return Stream.of(thread.getStackTrace())
                .noneMatch(frame -> frame.getClassName().equals("java.net.Socket")
                        && frame.getMethodName().equals("connect"));
    }
}
