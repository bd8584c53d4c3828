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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Translates the client's exceptions into one-line messages: what failed, where, and what to do. Immutable and
 * thread-safe.
 *
 * @param place the location of the sequences, for messages
 */
record SpannerFailures(String place, String database, Duration patience) {

    private static final String NESTED = """
            this thread is inside another transaction of Spanner's client, which does not allow a nested one; draw in \
            that transaction (TransactionalSequence), or through Sequences, which uses its own threads""";

    private static final Pattern FORGOTTEN = Pattern.compile("""
            (?i)(?:session|transaction) not found|invalid transaction id|transaction has already been closed|invalidated by \
            a later transaction|a transaction after it has been (?:committed or )?rolled ?back""");

    /** Translates a failure of one sequence, before the commit of its transaction. */
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
            default -> isForgotten(e) ? new Unavailable(name, what(e), e) : new Misconfigured(name, what(e), e);
        };
    }

    /** Translates a failure at commit: the same, unless the outcome is unknown. */
    SequenceException atCommit(String name, SpannerException e) {
        if (!nothingCommitted(e)) {
            return new CommitOutcomeUnknown(name, e);
        }
        return e.getErrorCode() == ErrorCode.ABORTED || e.getErrorCode() == ErrorCode.PERMISSION_DENIED
                ? of(name, e)
                : new Misconfigured(
                        name,
                        "the database refuses the transaction (%s), nothing was committed; correct its work"
                                .formatted(said(e)),
                        e);
    }

    /** Translates a failure that does not concern one sequence. */
    SequenceException general(SpannerException e) {
        if (isNested(e)) {
            return new Misconfigured(NESTED, e);
        }
        return switch (e.getErrorCode()) {
            case ABORTED -> new Overloaded(conflict(), e);
            case RESOURCE_EXHAUSTED -> new Overloaded(exhausted(e), e);
            case DEADLINE_EXCEEDED, UNAVAILABLE, CANCELLED, INTERNAL, UNKNOWN ->
                said(e).toLowerCase(Locale.ROOT).contains("credentials")
                        ? noCredentials(said(e), e)
                        : new Unavailable(what(e), e);
            case UNAUTHENTICATED -> noCredentials(said(e), e);
            default -> isForgotten(e) ? new Unavailable(what(e), e) : new Misconfigured(what(e), e);
        };
    }

    Overloaded stayedInConflict(String name, SpannerException e) {
        return new Overloaded(name, conflict(), e);
    }

    /** Reports that another thread drew in the same transaction for longer than the patience. */
    Overloaded heldByThread(String name) {
        return new Overloaded(name, """
                another thread has been drawing in the same transaction for %s ms, nothing was taken; check what it \
                waits for in %s, or wait longer""".formatted(patience.toMillis(), database), null);
    }

    /** Reports a draw in a transaction, or an attempt at it, that has ended. */
    Misconfigured ended(String name, @Nullable Throwable e) {
        String what = """
                its transaction, or the attempt at it, has ended, so a draw would not be kept; draw from the context \
                of an open one""";
        return new Misconfigured(name, what, e);
    }

    /** Reports that the caller was interrupted before any work was done. */
    Unavailable interrupted(String name, @Nullable Throwable e) {
        return new Unavailable(name, "interrupted while waiting for " + database, e);
    }

    /** Reports that the caller was interrupted between two attempts at its transaction. */
    Unavailable interrupted(Throwable e) {
        Thread.currentThread().interrupt();
        return new Unavailable("interrupted while waiting for " + database + "; nothing was committed", e);
    }

    /**
     * Returns whether a commit that failed with this exception has certainly changed nothing. The server reports these
     * errors after it has examined the transaction. Any other may come from the client or an intermediary, after an
     * earlier attempt at the same commit whose answer was lost.
     */
    static boolean nothingCommitted(SpannerException e) {
        return switch (e.getErrorCode()) {
            case ALREADY_EXISTS, INVALID_ARGUMENT, OUT_OF_RANGE, PERMISSION_DENIED -> true;
            case ABORTED, FAILED_PRECONDITION, NOT_FOUND -> !isForgotten(e);
            default -> false;
        };
    }

    /**
     * Returns whether the server no longer has the session or the transaction, and so knows nothing about its commit. A
     * session has one transaction at a time, and a repeated request that arrives late may begin another.
     */
    private static boolean isForgotten(SpannerException e) {
        return FORGOTTEN.matcher(said(e)).find();
    }

    /** Returns whether the thread is inside another transaction of the client, which does not allow nested ones. */
    private static boolean isNested(SpannerException e) {
        return e.getErrorCode() == ErrorCode.INTERNAL && said(e).contains("Nested transactions are not supported");
    }

    private String exhausted(SpannerException e) {
        // The client's message for this continues with the stack traces of all session holders.
        String said = said(e);
        if (said.contains("sessions checked out") || said.startsWith("No session available in the pool")) {
            return """
                    every session of the client for %s is in use, nothing was taken; end open transactions, draw \
                    inside them, or give \
                    the client more sessions (SessionPoolOptions.setMaxSessions)""".formatted(database);
        }
        return "the quota of " + database + " is used up (" + said + "); raise it, or wait and retry";
    }

    /** Returns whether the table is missing; reads and queries, and the dialects, report it differently. */
    static boolean isMissingTable(SpannerException e) {
        return said(e).matches(".*(?:Table not found|relation \".*\" does not exist).*");
    }

    static boolean isMissingColumn(SpannerException e) {
        return said(e).matches(".*(?:Unrecognized name|column \".*\" does not exist).*");
    }

    private String conflict() {
        return """
                transactions in %s kept being aborted for others for %s ms; draw in blocks (ADAPTIVE), combine callers \
                (COMBINED), or wait longer""".formatted(database, patience.toMillis());
    }

    private String what(SpannerException e) {
        if (isForgotten(e)) {
            return database + " failed: " + said(e) + "; retry it";
        }
        return switch (e.getErrorCode()) {
            case NOT_FOUND -> notFound(e);
            case PERMISSION_DENIED ->
                "permission denied in " + database + " (" + said(e)
                        + "); grant the account roles/spanner.databaseUser there";
            case DEADLINE_EXCEEDED ->
                database + " did not answer in time (" + said(e) + "); check that it can be reached, or wait longer";
            case UNAVAILABLE ->
                database + " cannot be reached (" + said(e)
                        + "); if it lasts, check the network, or the emulator's address";
            case INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE ->
                place.isEmpty() ? database + " rejected it: " + said(e) : otherColumns(e);
            default -> database + " failed: " + said(e);
        };
    }

    private String otherColumns(SpannerException e) {
        return """
                %s does not have the columns that the URL names, or holds something else (%s); for a plain table, say \
                what its counter is (kind=last: the last value drawn, kind=next: the next one), with name-column and \
                value-column; or name another table""".formatted(place, said(e));
    }

    private String notFound(SpannerException e) {
        String said = said(e);
        String lower = said.toLowerCase(Locale.ROOT);
        if (lower.contains("column not found")) {
            return otherColumns(e);
        }
        if (lower.contains("schema not found")) {
            return database + ": " + said + "; create it (CREATE SCHEMA), or name another schema";
        }
        String missing = lower.contains("instance not found") ? "instance" : "database";
        return lower.contains("not found: projects/")
                ? database + ": no such " + missing + "; check the project, the instance and the database, or create it"
                : database + ": " + said + "; check the names in the URL";
    }

    static Misconfigured noCredentials(String why, Throwable e) {
        String what = """
                no valid credentials for Google Cloud (%s); run 'gcloud auth application-default login', set \
                GOOGLE_APPLICATION_CREDENTIALS, or for the emulator SPANNER_EMULATOR_HOST""".formatted(oneLine(why));
        return new Misconfigured(what, e);
    }

    /** Returns the client's message on one line, without the error code at its beginning. */
    static String said(SpannerException e) {
        String message = e.getMessage() == null ? e.getErrorCode().name() : e.getMessage();
        return oneLine(message.replaceFirst("(?s)\\s*(?:\\nresource_type:.*| - RequestId:.*)", ""))
                .replaceFirst("^" + e.getErrorCode().name() + ": ", "")
                .replaceFirst(" \\[closed=.*$", "")
                .replaceFirst("^(?:io\\.grpc\\.|com\\.google\\.)[\\w.]*Exception: ", "")
                .replaceFirst("^" + e.getErrorCode().name() + ": ", "");
    }

    private static String oneLine(String text) {
        return text.replaceAll("(?<!\\s)\\s*[\\r\\n]+\\s*", " ");
    }
}
