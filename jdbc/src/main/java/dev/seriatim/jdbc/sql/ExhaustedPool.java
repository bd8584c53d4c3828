// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * Distinguishes an exhausted connection pool from an unreachable database by the pool's exception: HikariCP, Tomcat,
 * Commons DBCP, c3p0, Agroal, Vibur, UCP, H2.
 */
public final class ExhaustedPool {

    private static final Pattern WORDS = Pattern.compile("""
            connection is not available, request timed out\
            |pool empty\\. unable to fetch a connection\
            |pool error timeout waiting for idle object\
            |cannot get a connection, pool (?:error|exhausted)\
            |attempt by a client to checkout a connection has timed out\
            |acquisition timeout\
            |couldn't obtain sql connection from pool\
            |all connections in the universal connection pool are in use\
            |^login timeout$|^login timeout \\[""");

    public static final String REMEDY = """
            give the store its own pool, enlarge this one, or draw before the transaction begins: a caller that draws \
            while it holds a connection of this pool needs a second one""";

    private ExhaustedPool() {}

    /** Returns whether a data source failed with this because no connection became free in time. */
    public static boolean is(SQLException e) {
        // If it says why a new connection could not be opened, that is the cause.
        boolean connecting = e.getCause() instanceof SQLException;
        return !connecting && (says(e) || typed(e));
    }

    public static ClassifiedException told(SQLException e, long waitedMillis) {
        return new ClassifiedException(
                Fault.NO_CONNECTION, "waited " + waitedMillis + " ms: " + SqlFailures.oneLine(e), e);
    }

    private static boolean says(SQLException e) {
        return WORDS.matcher(String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT))
                .find();
    }

    private static boolean typed(SQLException e) {
        if (e instanceof SQLTransientConnectionException) {
            String state = e.getSQLState();
            return state == null || !state.startsWith("08");
        }
        return (e instanceof SQLTimeoutException && e.getSQLState() == null)
                || SqlFailures.causes(e)
                        .anyMatch(
                                cause -> cause instanceof TimeoutException || cause instanceof NoSuchElementException);
    }
}
