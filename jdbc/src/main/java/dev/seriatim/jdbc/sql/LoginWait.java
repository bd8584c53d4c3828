// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.SequenceException.Unavailable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Limits how long callers wait for a login. Most drivers wait without end for a server that accepts the connection and stays
 * silent, and JDBC has no limit for a single connection. So the driver connects on a daemon thread, which is never interrupted.
 */
public final class LoginWait {

    /** Logins take a moment on a busy machine, however short the patience is. */
    private static final Duration LEAST = Duration.ofSeconds(5);

    @FunctionalInterface
    public interface Login {
        Connection open() throws SQLException;
    }

    private final CompletableFuture<Connection> opened = new CompletableFuture<>();
    private final Consumer<Connection> end;
    private final Thread thread;
    private final long began = System.nanoTime();

    /** Begins to log in; {@code end} closes a connection that is opened after the limit. */
    LoginWait(Login login, Consumer<Connection> end) {
        this.end = end;
        thread = new Thread(() -> run(login), "seriatim-login");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns the longest login: three times the patience, so that later callers get its connection. */
    public static Duration limit(Duration patience) {
        Duration limit = patience.multipliedBy(3);
        return limit.compareTo(LEAST) < 0 ? LEAST : limit;
    }

    /** Opens a connection within a limit. One that is opened too late is closed. */
    public static Connection atMost(Duration limit, Login login) throws SQLException {
        LoginWait wait = new LoginWait(login, Sql::close);
        try {
            return wait.until(wait.began + limit.toNanos());
        } catch (LateLogin late) {
            wait.leave(limit, Sql::close, () -> {});
            throw late;
        } catch (InterruptedException e) {
            wait.leave(limit, Sql::close, () -> {});
            Thread.currentThread().interrupt();
            throw new Unavailable("interrupted while waiting for a login", e);
        }
    }

    /** Returns the connection. If this throws because of the deadline or an interrupt, {@link #leave} the login. */
    Connection until(long deadline) throws SQLException, InterruptedException {
        try {
            return opened.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new LateLogin(Duration.ofNanos(deadline - began).plusNanos(999_999), isConnected());
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

    /** Lets the login continue for the rest of the limit; passes its connection on, then runs {@code ended}. */
    void leave(Duration limit, Consumer<Connection> late, Runnable ended) {
        long left = Math.max(1, began + limit.toNanos() - System.nanoTime());
        var unused = opened.orTimeout(left, TimeUnit.NANOSECONDS).whenComplete((connection, failure) -> {
            if (failure == null) {
                late.accept(connection);
            }
            ended.run();
        });
    }

    private void run(Login login) {
        try {
            Connection connection = login.open();
            if (!opened.complete(connection)) {
                end.accept(connection);
            }
        } catch (Throwable e) {
            opened.completeExceptionally(e);
        }
    }

    /** Returns whether the login is past the call that connects to the server. */
    private boolean isConnected() {
        return Stream.of(thread.getStackTrace())
                .noneMatch(frame -> frame.getClassName().equals("java.net.Socket")
                        && frame.getMethodName().equals("connect"));
    }
}
