// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.sql.Fault;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

final class MySqlErrors {

    /** ER_TABLE_DEF_CHANGED. */
    private static final int NEWER_TABLE = 1412;

    /** ER_UNKNOWN_COM_ERROR. */
    private static final int UNKNOWN_COMMAND = 1047;

    /** ER_OPTION_PREVENTS_STATEMENT and ER_READ_ONLY_MODE. */
    private static final Set<Integer> NO_WRITES = Set.of(1290, 1836);

    /** HA_ERR_LOCK_DEADLOCK. */
    private static final Pattern LOCK_DEADLOCK = Pattern.compile("\\berror 149\\b");

    private MySqlErrors() {}

    /** Returns whether a statement has waited for a lock, as opposed to meeting a row newer than its snapshot. */
    static boolean lockHeld(SQLException e) {
        return fault(e) == Fault.TIMED_OUT && e.getErrorCode() != NEWER_TABLE;
    }

    static Fault fault(SQLException e) {
        return switch (e.getErrorCode()) {
            // Deadlock, a row newer than the snapshot, a conflict between cluster nodes
            case 1213, 1020, 3101 -> Fault.CONFLICT;
            case 1180 -> atCommit(String.valueOf(e.getMessage()));
            case UNKNOWN_COMMAND -> isNotReady(e) ? Fault.CONFLICT : byState(e);
            // Lock timeouts, statement timeouts
            case 1205, 3572, 1969, 3024 -> Fault.TIMED_OUT;
            // A table newer than the snapshot: only the statement is undone
            case NEWER_TABLE -> Fault.TIMED_OUT;
            case 1062 -> Fault.DUPLICATE;
            case 1146, 1049 -> Fault.MISSING_TABLE;
            case 1054 -> Fault.MISSING_COLUMN;
            case 1264, 1366, 1292, 1690 -> Fault.WRONG_TYPE;
            case 1142, 1143, 1044, 1227, 1370 -> Fault.DENIED;
            case 1290, 1792, 1836 -> Fault.READ_ONLY;
            case 1114, 1021, 3 -> Fault.FULL;
            case 1040, 1203, 1226 -> Fault.NO_TURN;
            default -> byState(e);
        };
    }

    /** Returns the remedy for a server that accepts no writes or no statements; the transaction is not the cause. */
    static Optional<String> remedy(String database, String why, SQLException e) {
        if (isNotReady(e)) {
            return Optional.of(database + " is not ready (" + why
                    + "); wait until the node has joined its cluster, or name another one");
        }
        return NO_WRITES.contains(e.getErrorCode())
                ? Optional.of(database + " accepts no writes (" + why
                        + "); name a server that accepts writes, or allow this user to write")
                : Optional.empty();
    }

    /** Only a cluster defers checks to COMMIT; an error with the general SQLSTATE leaves the outcome unknown. */
    static boolean refusesCommit(SQLException e) {
        String state = Optional.ofNullable(e.getSQLState()).orElse("");
        boolean said = Stream.of("22", "23", "25", "42", "45").anyMatch(state::startsWith);
        return said || fault(e).nothingCommitted();
    }

    /** With one error of its storage engine, a cluster reports that another node was first; others leave doubt. */
    private static Fault atCommit(String message) {
        return LOCK_DEADLOCK.matcher(message).find() ? Fault.CONFLICT : Fault.OTHER;
    }

    /** Returns whether a cluster's node refuses all statements until it has joined the cluster again. */
    private static boolean isNotReady(SQLException e) {
        return e.getErrorCode() == UNKNOWN_COMMAND
                && String.valueOf(e.getMessage()).contains("WSREP");
    }

    private static Fault byState(SQLException e) {
        String state = Optional.ofNullable(e.getSQLState()).orElse("");
        if (state.equals("40001")) {
            return Fault.CONFLICT;
        }
        // MySQL's driver raises this without asking the server, and has no code for it.
        if (state.equals("S1009") && String.valueOf(e.getMessage()).startsWith("Connection is read-only")) {
            return Fault.READ_ONLY;
        }
        if (state.startsWith("08") || state.equals("70100")) {
            return Fault.LOST;
        }
        // MySQL's driver has no code for its own query timeout.
        return e instanceof SQLTimeoutException ? Fault.TIMED_OUT : Fault.OTHER;
    }
}
