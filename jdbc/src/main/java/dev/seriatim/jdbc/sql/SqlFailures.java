// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.StoreUrl;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Translates a driver's exception once, into one line: what failed, where, and what to do.
 *
 * @param place where the sequences are stored
 * @param act the operation on them
 * @param rights how to find out which privileges it requires
 * @param otherColumns describes a table with other columns
 * @param columnsRemedy what to do about it
 */
public record SqlFailures(
        Dialect dialect,
        String place,
        String act,
        String rights,
        String otherColumns,
        String columnsRemedy,
        String database,
        Duration patience) {

    /** Replaces a sequence's name if work does not concern a single sequence. */
    public static final String UNNAMED = "(any)";

    /** The suffix of the table of the pools. */
    public static final String POOL = "_pool";

    private static final int DEEPEST_CAUSE = 20;
    private static final String IN_JDBC_URLS = "after seriatim. in a jdbc: URL";
    /** MySQL's and MariaDB's error code; a server that is read-only has others. */
    private static final int READ_ONLY_TRANSACTION = 1792;

    private static final Pattern GRPC_CODES = Pattern.compile("^([A-Z_]+): (?:[\\w.]+Exception: \\1: )++");
    private static final Pattern GRPC_DETAILS = Pattern.compile(
            "(?s)(?:(?<!\\s)\\s*\\nresource_type: .*| \\[at \\d+:\\d+\\].*| - (?:Statement|RequestId): .*)$");

    public static SqlFailures inTable(Dialect dialect, SequenceTable table, String database, Duration patience) {
        boolean own = table.kind() == SequenceTable.Kind.OWN;
        return new SqlFailures(
                dialect,
                "table " + table.table() + " of " + database,
                "use",
                rights(dialect.grants(new PlacedTable(dialect, table, table.schema()).qualified())),
                own ? "has other columns than Seriatim's table" : "has no such columns",
                own ? """
                                open an existing plain table with kind=last (its counter is the last value drawn) or \
                                kind=next in a URL (%s), or as SequenceTable.lastValue or nextValue; or name another \
                                table""".formatted(IN_JDBC_URLS) : """
                                name them: name-column=…, value-column=… in a URL (%s), or in SequenceTable.lastValue \
                                or nextValue""".formatted(IN_JDBC_URLS),
                database,
                patience);
    }

    private static String rights(List<Grant> grants) {
        return grants.stream()
                .filter(grant -> !grant.statements().isEmpty())
                .map(grant -> grant.purpose() + ": " + String.join(", ", grant.statements()) + "; ")
                .collect(
                        Collectors.joining("", "", "'seriatim --store URL install --print' shows the required grants"));
    }

    /** Returns the translation for other objects of the database than its table of sequences. */
    public static SqlFailures of(Dialect dialect, String what, String rights, String database, Duration patience) {
        String place = what + " of " + database;
        return new SqlFailures(dialect, place, "use", rights, "have other columns", "drop them", database, patience);
    }

    /** Returns the translation to use while the table, or that with this suffix, is created. */
    public SqlFailures creating(String suffix) {
        return new SqlFailures(
                dialect,
                table() + suffix + " of " + database,
                "create",
                "run 'seriatim --store URL install' as a user with that privilege, and grant this user what it shows with --print",
                otherColumns,
                columnsRemedy,
                database,
                patience);
    }

    /** Returns what an exception means, whatever threw it. */
    public Fault fault(SQLException e) {
        if (e instanceof ClassifiedException own) {
            return own.fault();
        }
        if (e instanceof LateLogin) {
            return Fault.LOST;
        }
        if (e instanceof SQLTransientConnectionException && e.getCause() instanceof SQLException cause) {
            return fault(cause); // a pool's, with the reason why it could not connect
        }
        return e instanceof MissingDatabase ? Fault.MISSING_TABLE : dialect.fault(e);
    }

    /** Returns whether an exception in response to a COMMIT means that nothing is committed. */
    public boolean refusesCommit(SQLException e) {
        return e instanceof ClassifiedException ? fault(e).nothingCommitted() : dialect.refusesCommit(e);
    }

    /** Returns the server's refusal to commit: whatever its code, the cause is what was done in the transaction. */
    public SQLException refused(SQLException e) {
        return switch (fault(e)) {
            case DUPLICATE, MISSING_TABLE, MISSING_COLUMN, WRONG_TYPE, VIOLATION ->
                new ClassifiedException(Fault.VIOLATION, e);
            case OTHER -> remedy(e).isPresent() ? e : new ClassifiedException(Fault.VIOLATION, e);
            default -> e;
        };
    }

    /** Translates an exception while the counter is locked for callers who share a transaction. */
    public SequenceException atBegin(String name, SQLException e) {
        return fault(e).isTransient()
                ? new Overloaded(name, remedy(e).orElseGet(() -> """
                                        its row in %s is locked by or in conflict with another session (%s); end that \
                                        session, or wait longer""".formatted(place, oneLine(e))), e)
                : of(name, e);
    }

    /** Translates an exception in a transaction of our own. */
    public SequenceException own(String name, SQLException e) {
        if (name.equals(SqlFailures.UNNAMED)) {
            return general(e);
        }
        return fault(e).isTransient()
                ? new Overloaded(name, remedy(e).orElseGet(() -> """
                                        %s stayed locked by or in conflict with other \
                                        sessions for %s ms; end the session that \
                                        holds the lock, or wait longer""".formatted(database, patience.toMillis())), e)
                : of(name, e);
    }

    /** Translates an exception in the caller's transaction. */
    public SequenceException inTransaction(String name, SQLException e) {
        return fault(e).isTransient() ? new Overloaded(name, """
                        conflict with another session in %s; roll the whole transaction \
                        back and retry it""".formatted(database), e) : of(name, e);
    }

    /** Translates an exception of a draw in the caller's transaction, on a connection that may be set read-only. */
    public SequenceException inDraw(String name, SQLException e, boolean readOnly, Duration waited) {
        if (!readsOnly(e)) {
            return inDraw(name, e, waited);
        }
        String what = readOnly ? """
                        the connection of this transaction is read-only (%s), by setReadOnly(true) or Spring's \
                        @Transactional(readOnly = true); draw in a read-write transaction""".formatted(oneLine(e)) : """
                        this transaction is read-only (%s); draw in a read-write transaction (not after SET \
                        TRANSACTION READ ONLY), or name a server that accepts writes""".formatted(oneLine(e));
        // A server that is read-only may have been the primary, and a retry may reach the new one.
        return readOnly || e.getErrorCode() == READ_ONLY_TRANSACTION
                ? new Misconfigured(name, what, e)
                : new Unavailable(name, what, e);
    }

    /** Translates an exception of a draw in the caller's transaction after it has waited this long. */
    public SequenceException inDraw(String name, SQLException e, Duration waited) {
        if (endedWaiting(e)) {
            return new Unavailable(name, """
                    no answer from %s within %s ms, so the connection was \
                    closed and its transaction is lost; roll back, and \
                    retry the whole transaction once the server answers""".formatted(database, waited.toMillis()), e);
        }
        boolean hasWaited = waited.toMillis() > 0; // an outdated snapshot or an interrupt fails immediately
        if (hasWaited && dialect.lockHeld(e)) {
            return new Overloaded(name, """
                    waited %s ms for a lock held by another transaction in %s; roll the whole transaction back and \
                    retry it when that one has ended, or wait longer""".formatted(waited.toMillis(), database), e);
        }
        if (fault(e) == Fault.LOST) {
            return new Unavailable(name, """
                    the connection to %s broke or is closed (%s), and its transaction is lost; retry the whole \
                    transaction on another connection""".formatted(database, oneLine(e)), e);
        }
        return inTransaction(name, e);
    }

    /** Translates an exception at the commit of a transaction in which the caller has worked. */
    public SequenceException atCommit(SQLException e) {
        return fault(e) == Fault.CONFLICT ? new Overloaded("""
                        conflict with another session in %s at commit; nothing was committed, retry the whole \
                        transaction""".formatted(database), e) : general(e);
    }

    /** Translates an interrupt before anything was done for the caller. */
    public SequenceException interrupted(String name, InterruptedException e) {
        String what = "interrupted while waiting for " + database;
        return name.equals(SqlFailures.UNNAMED) ? new Unavailable(what, e) : new Unavailable(name, what, e);
    }

    SequenceException general(SQLException e) {
        return switch (fault(e)) {
            case CONFLICT, TIMED_OUT ->
                new Unavailable(
                        remedy(e)
                                .orElseGet(() ->
                                        database + " is locked by another session; end that session, or wait longer"),
                        e);
            case NO_TURN -> new Unavailable("""
                        %s: no connection was free within %s ms; use fewer \
                        callers, or wait longer""".formatted(database, patience.toMillis()), e);
            case NO_CONNECTION -> new Overloaded(what(e), e);
            case MISSING_TABLE -> new Misconfigured(place + " is missing; create a sequence first", e);
            case MISSING_COLUMN, WRONG_TYPE, DENIED, NOT_A_DATABASE, SPOILED, VIOLATION, LIMIT ->
                new Misconfigured(what(e), e);
            default -> new Unavailable(what(e), e);
        };
    }

    private static boolean endedWaiting(SQLException e) {
        return causes(e).anyMatch(SocketTimeoutException.class::isInstance);
    }

    /** Returns what was thrown and its causes; not endless, although causes can form a circle. */
    public static Stream<Throwable> causes(Throwable thrown) {
        return Stream.<@Nullable Throwable>iterate(thrown, cause -> cause != null, Throwable::getCause)
                .limit(DEEPEST_CAUSE)
                .map(Objects::requireNonNull);
    }

    private SequenceException of(String name, SQLException e) {
        return switch (fault(e)) {
            case NO_TURN -> new Overloaded(name, """
                        no turn within %s ms although the store answers; draw in blocks (ADAPTIVE), \
                        combine callers (COMBINED) or wait longer""".formatted(patience.toMillis()), null);
            case NO_CONNECTION -> new Overloaded(name, what(e), e);
            case DUPLICATE -> new AlreadyExists(name, place);
            case MISSING_TABLE ->
                new NotFound(name, e instanceof MissingDatabase ? place + MissingDatabase.NOTE : place);
            case MISSING_COLUMN, WRONG_TYPE, DENIED, NOT_A_DATABASE -> new Misconfigured(what(e), e);
            case SPOILED, VIOLATION, LIMIT -> new Misconfigured(name, what(e), e);
            default -> new Unavailable(name, what(e), e);
        };
    }

    private String what(SQLException e) {
        return switch (fault(e)) {
            case MISSING_COLUMN ->
                place + " " + otherColumns + " (" + oneLine(e) + "), so it was not changed; " + columnsRemedy;
            case NOT_A_DATABASE ->
                database + " is not a " + dialect.product()
                        + " database, or is damaged; name another one, or restore it from a backup";
            case WRONG_TYPE ->
                place + " has a column of the wrong type (" + oneLine(e) + "); make the name VARCHAR, the number "
                        + dialect.numberType();
            case DENIED -> denied(oneLine(e));
            case SPOILED -> """
                an earlier statement failed and aborted the transaction; let its exception propagate, or \
                roll back to a savepoint set before it""";
            case VIOLATION ->
                remedy(e)
                        .orElseGet(() ->
                                "the database refuses the transaction (%s), nothing was committed; correct its work"
                                        .formatted(oneLine(e)));
            case READ_ONLY -> readOnly(e);
            case LOST -> lost(e);
            case NO_CONNECTION -> exhaustedPool(database, e);
            case FULL -> "no space is left for " + database + "; free some";
            default -> remedy(e).orElseGet(() -> database + " failed: " + oneLine(e));
        };
    }

    private String table() {
        return place.substring(0, place.length() - (" of " + database).length());
    }

    private String denied(String said) {
        String pool = table() + POOL;
        String name = pool.substring(pool.indexOf(' ') + 1);
        boolean ofPool = act.equals("use") && said.toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT));
        return "this user may not " + act + " " + (ofPool ? pool + " of " + database : place) + " (" + said + "); "
                + (ofPool ? rights(dialect.poolGrants(dialect.quote(name))) : rights);
    }

    private String lost(SQLException e) {
        if (e instanceof LateLogin) {
            return database + " cannot be reached: " + e.getMessage() + "; " + LateLogin.REMEDY;
        }
        return endedWaiting(e)
                ? """
                        no answer from %s in time, so the connection was closed (%s); check that the server, or a \
                        proxy before it, is neither stopped nor overloaded""".formatted(database, oneLine(e))
                : "the connection to " + database + " broke (" + oneLine(e) + "); the next call tries again";
    }

    private String readOnly(SQLException e) {
        return remedy(e).orElseGet(() -> """
                        %s is read-only (%s); name a server that accepts writes, \
                        allow this user to write, or draw on read-write connections \
                        (not after setReadOnly(true) or in a read-only transaction)""".formatted(database, oneLine(e)));
    }

    /** Returns whether an exception reports a read-only transaction or server; it does not say which. */
    private boolean readsOnly(SQLException e) {
        return fault(e) == Fault.READ_ONLY && remedy(e).isEmpty();
    }

    private Optional<String> remedy(SQLException e) {
        return dialect.remedy(database, oneLine(e), e);
    }

    /** Returns the refusal of a store that is closed. */
    public static Unavailable closed(String database) {
        return new Unavailable(database + " is closed; open it again", null);
    }

    /** Explains a pool that is too small. */
    public static String exhaustedPool(String database, SQLException e) {
        return "the pool of connections to " + database + " is exhausted (" + oneLine(e) + "); " + ExhaustedPool.REMEDY;
    }

    /** Returns an exception's message on one line, without secrets and without what gRPC's layers add to it. */
    public static String oneLine(SQLException e) {
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        Matcher codes = GRPC_CODES.matcher(message);
        String plain =
                codes.find() ? GRPC_DETAILS.matcher(codes.replaceFirst("$1: ")).replaceFirst("") : message;
        return StoreUrl.redact(plain).replaceAll("(?<!\\s)\\s*[\\r\\n]+\\s*", " ");
    }
}
