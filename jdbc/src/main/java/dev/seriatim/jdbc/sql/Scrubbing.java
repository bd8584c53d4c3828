// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.SequenceException;
import dev.seriatim.store.StoreUrl;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Removes secrets from the exceptions of a driver or a pool, which often quote the given URL, or part of it. An
 * exception without secrets is returned unchanged. Otherwise, the result is a copy that keeps the SQLSTATE, the
 * vendor code, the stack trace and the class name; its causes, suppressed and next exceptions are treated the same
 * way. Thread-safe.
 *
 * @param words removes the secrets from a text
 */
public record Scrubbing(UnaryOperator<String> words) {

    /** For data sources, whose URLs are unknown. */
    public static final Scrubbing OF_ANY_URL = new Scrubbing(StoreUrl::redact);

    private static final int DEEPEST = 20;

    /** A copy of a pool's or driver's exception; it shows the original's class name. */
    @SuppressWarnings("OverrideThrowableToString") // same message, different class
    private static final class Copy extends SQLException {
        private static final long serialVersionUID = 1L;

        private final String shown;

        Copy(SQLException of, String message) {
            super(message, of.getSQLState(), of.getErrorCode());
            shown = of.getClass().getName() + ": " + message;
        }

        @Override
        public String toString() {
            return shown;
        }
    }

    /** Like {@link Copy}, of a type that callers distinguish. */
    @SuppressWarnings("OverrideThrowableToString") // same message, different class
    private static final class TransientCopy extends SQLTransientConnectionException {
        private static final long serialVersionUID = 1L;

        TransientCopy(SQLException of, String message) {
            super(message, of.getSQLState(), of.getErrorCode());
        }

        @Override
        public String toString() {
            return SQLTransientConnectionException.class.getName() + ": " + getMessage();
        }
    }

    /** Like {@link Copy}, for an exception that is not an {@link SQLException}. */
    @SuppressWarnings("OverrideThrowableToString") // same message, different class
    private static final class OtherCopy extends Exception {
        private static final long serialVersionUID = 1L;

        private final String shown;

        OtherCopy(Throwable of, String message) {
            super(message);
            shown = of.getClass().getName() + ": " + message;
        }

        @Override
        public String toString() {
            return shown;
        }
    }

    public SQLException of(SQLException e) {
        return isClean(e, 0) ? e : (SQLException) copy(e, 0);
    }

    /**
     * Converts what a driver throws in place of an {@link SQLException} to one without secrets.
     */
    public SQLException of(Throwable e) {
        Throwable cause = isClean(e, 0) ? e : copy(e, 0);
        return new SQLException(words.apply(String.valueOf(e.getMessage())), cause);
    }

    /** Opens a connection; what the driver or pool throws shows no secrets. */
    public Connection opened(LoginWait.Login login) throws SQLException {
        try {
            return login.open();
        } catch (SequenceException e) {
            throw e;
        } catch (SQLException e) {
            throw of(e);
        } catch (RuntimeException
                | UnsatisfiedLinkError e) { // SQLite's driver throws the latter from its second attempt on
            throw of(e);
        }
    }

    private boolean isClean(@Nullable Throwable e, int depth) {
        if (e == null) {
            return true;
        }
        if (depth > DEEPEST || !words.apply(e.toString()).equals(e.toString())) {
            return false;
        }
        for (Throwable suppressed : e.getSuppressed()) {
            if (!isClean(suppressed, depth + 1)) {
                return false;
            }
        }
        return isClean(e.getCause(), depth + 1)
                && !(e instanceof SQLException sql && !isClean(sql.getNextException(), depth + 1));
    }

    private Throwable copy(Throwable e, int depth) {
        String message = e.getMessage() == null ? "" : words.apply(e.getMessage());
        Throwable copy = empty(e, message);
        copy.setStackTrace(e.getStackTrace());
        if (depth < DEEPEST) {
            if (e.getCause() != null) {
                copy.initCause(copy(e.getCause(), depth + 1));
            }
            for (Throwable suppressed : e.getSuppressed()) {
                copy.addSuppressed(copy(suppressed, depth + 1));
            }
            if (e instanceof SQLException sql
                    && copy instanceof SQLException copied
                    && sql.getNextException() != null) {
                copied.setNextException((SQLException) copy(Objects.requireNonNull(sql.getNextException()), depth + 1));
            }
        }
        return copy;
    }

    private static Throwable empty(Throwable e, String message) {
        if (e instanceof SQLTransientConnectionException sql) {
            return new TransientCopy(sql, message);
        }
        return e instanceof SQLException sql ? new Copy(sql, message) : new OtherCopy(e, message);
    }
}
