// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.SpannerException;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Says once, in one line, what an exception of the client means: what failed, where, and what to do. Immutable and
 * thread-safe.
 *
 * @param place where the sequences are
 * @param database the database's full name
 * @param patience how long conflicts are waited for
 */
record SpannerFailures(String place, String database, Duration patience) {

    private static final String NESTED =
            "this thread runs another transaction of Spanner's client, which allows none inside it; draw in that"
                    + " transaction (TransactionalSequence), or by Sequences, which has threads of its own";

    /** What it means for one sequence, in a transaction of our own, or in the caller's before its commit. */
    SequenceException of(String name, SpannerException e) {
        if (isNested(e)) {
            return new Misconfigured(name, NESTED, e);
        }
        return switch (e.getErrorCode()) {
            case ABORTED -> stayedInConflict(name, e);
            case NOT_FOUND -> isMissingTable(e) ? new NotFound(name, place) : general(e);
            case ALREADY_EXISTS -> new AlreadyExists(name, place);
            case RESOURCE_EXHAUSTED -> new Overloaded(name, exhausted(e), e);
            case DEADLINE_EXCEEDED, UNAVAILABLE, CANCELLED, INTERNAL, UNKNOWN -> new Unavailable(name, what(e), e);
            default -> new Misconfigured(name, what(e), e);
        };
    }

    /** What it means at a commit: the same, unless nobody can tell whether it happened. */
    SequenceException atCommit(String name, SpannerException e) {
        if (!nothingCommitted(e)) {
            return new CommitOutcomeUnknown(name, e);
        }
        return e.getErrorCode() == ErrorCode.ABORTED || e.getErrorCode() == ErrorCode.PERMISSION_DENIED
                ? of(name, e)
                : new Misconfigured(
                        name, "the transaction breaks a rule of its tables, nothing was committed: " + said(e), e);
    }

    /** What it means where it is not about one sequence. */
    SequenceException general(SpannerException e) {
        if (isNested(e)) {
            return new Misconfigured(NESTED, e);
        }
        return switch (e.getErrorCode()) {
            case ABORTED -> new Overloaded(conflict(), e);
            case RESOURCE_EXHAUSTED -> new Overloaded(exhausted(e), e);
            case DEADLINE_EXCEEDED, UNAVAILABLE, CANCELLED, INTERNAL, UNKNOWN ->
                looksLikeCredentials(e) ? noCredentials(said(e), e) : new Unavailable(what(e), e);
            case UNAUTHENTICATED -> noCredentials(said(e), e);
            default -> new Misconfigured(what(e), e);
        };
    }

    /** Conflicts that outlasted the patience. */
    Overloaded stayedInConflict(String name, SpannerException e) {
        return new Overloaded(name, conflict(), e);
    }

    /** Another thread that draws in the same transaction outlasted the patience. */
    Overloaded heldByThread(String name) {
        return new Overloaded(
                name,
                "another thread has been drawing in the same transaction for " + patience.toMillis()
                        + " ms, nothing was taken; see what it waits for in " + database + ", or wait longer",
                null);
    }

    /** A draw in a transaction that has ended, or in an attempt at it that has. */
    Misconfigured ended(String name, @Nullable Throwable e) {
        return new Misconfigured(
                name,
                "its transaction has ended, or the attempt at it, so what is drawn would not be kept; draw from the"
                        + " context of one that is open",
                e);
    }

    /** The caller was interrupted before anything was done for it. */
    Unavailable interrupted(String name, @Nullable Throwable e) {
        return new Unavailable(name, "interrupted while it waited for " + database, e);
    }

    /** The caller was interrupted between two attempts at its transaction. */
    Unavailable interrupted(Throwable e) {
        Thread.currentThread().interrupt();
        return new Unavailable("interrupted while it waited for " + database + "; nothing was committed", e);
    }

    /**
     * Whether a commit that failed with this has certainly changed nothing. Else take it as unknown.
     *
     * <p>These are what the server says once it has looked at the transaction. Anything else can be said on the way to it, by
     * the client or by whoever watches the gate, and the client may have sent the same commit before: credentials, say, that
     * ran out while an earlier answer was lost.
     */
    static boolean nothingCommitted(SpannerException e) {
        return switch (e.getErrorCode()) {
            case ALREADY_EXISTS, FAILED_PRECONDITION, INVALID_ARGUMENT, OUT_OF_RANGE, PERMISSION_DENIED -> true;
            case ABORTED, NOT_FOUND -> !isForgotten(e);
            default -> false;
        };
    }

    /** Whether the server does not know the session or the transaction any more, and so nothing of its commit. */
    private static boolean isForgotten(SpannerException e) {
        String said = said(e).toLowerCase(Locale.ROOT);
        return said.contains("session not found") || said.contains("transaction not found");
    }

    /** Whether the thread is inside another transaction of the client's, which allows no second one there. */
    private static boolean isNested(SpannerException e) {
        return e.getErrorCode() == ErrorCode.INTERNAL && said(e).contains("Nested transactions are not supported");
    }

    private String exhausted(SpannerException e) {
        // The client says so in a message that goes on with the stack traces of all who hold one.
        String said = said(e);
        return said.contains("sessions checked out") || said.startsWith("No session available in the pool")
                ? "every session of the client for " + database
                        + " is in use, nothing was taken; end the transactions that are open, draw inside them, or"
                        + " give the client more sessions (SessionPoolOptions.setMaxSessions)"
                : "the quota of " + database + " is used up: " + said;
    }

    /** Whether the table is not there; reads and queries say so in their own ways. */
    static boolean isMissingTable(SpannerException e) {
        return said(e).contains("Table not found");
    }

    private String conflict() {
        return "transactions in " + database + " kept being aborted for others for " + patience.toMillis()
                + " ms; draw in blocks (ADAPTIVE), combine callers (COMBINED), or wait longer";
    }

    private String what(SpannerException e) {
        return switch (e.getErrorCode()) {
            case NOT_FOUND -> notFound(e);
            case PERMISSION_DENIED ->
                "this account may not do that in " + database + " (" + said(e)
                        + "); it needs the role roles/spanner.databaseUser there";
            case DEADLINE_EXCEEDED ->
                database + " did not answer in time (" + said(e) + "); see that it can be reached, or wait longer";
            case UNAVAILABLE -> database + " cannot be reached (" + said(e) + "); the next call tries again";
            case INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE ->
                place.isEmpty() ? database + " refused it: " + said(e) : otherColumns(e);
            default -> database + " failed: " + said(e);
        };
    }

    private String otherColumns(SpannerException e) {
        return place + " has other columns than the URL says, or holds something else (" + said(e)
                + "); of a plain table, say what its counter is (kind=last: the value drawn last, kind=next: the one drawn next), with"
                + " name-column and value-column; or name another table";
    }

    private String notFound(SpannerException e) {
        String said = said(e);
        String lower = said.toLowerCase(Locale.ROOT);
        if (lower.contains("column not found")) {
            return otherColumns(e);
        }
        String missing = lower.contains("instance not found") ? "instance" : "database";
        return lower.contains("not found: projects/")
                ? database + ": there is no such " + missing
                        + "; check the project, the instance and the database, or create it"
                : database + ": " + said + "; check the names in the URL";
    }

    /** Who is asked does not know who asks. */
    static Misconfigured noCredentials(String why, Throwable e) {
        return new Misconfigured(
                "no valid credentials for Google Cloud (" + oneLine(why)
                        + "); run 'gcloud auth application-default login', set GOOGLE_APPLICATION_CREDENTIALS, or for"
                        + " the emulator SPANNER_EMULATOR_HOST",
                e);
    }

    private static boolean looksLikeCredentials(SpannerException e) {
        return said(e).toLowerCase(Locale.ROOT).contains("credentials");
    }

    /** The client's own words, on one line and without the code that it puts in front. */
    static String said(SpannerException e) {
        String message = e.getMessage() == null ? e.getErrorCode().name() : e.getMessage();
        return oneLine(message.replaceFirst("(?s)\\s*(?:\\nresource_type:.*| - RequestId:.*)", ""))
                .replaceFirst("^" + e.getErrorCode().name() + ": ", "")
                .replaceFirst(" \\[closed=.*$", "")
                .replaceFirst("^(?:io\\.grpc\\.|com\\.google\\.)[\\w.]*Exception: ", "")
                .replaceFirst("^" + e.getErrorCode().name() + ": ", "");
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\s*[\\r\\n]+\\s*", " ");
    }
}
