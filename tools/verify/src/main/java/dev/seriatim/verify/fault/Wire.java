// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Follows the conversation on one connection, so that a link can lose answers to commits. A link that loses any answers loses only 60 %
 * as many answers to commits in the same time; if it loses three times as many answers, 90 %, and fewer of them end transactions of the
 * gapless modes, because clients spend their time connecting. Not thread-safe.
 *
 * @param <R> a request whose answer is not complete
 */
abstract class Wire<R extends Wire.Request> {

    /** A request of the client. */
    static class Request {
        /** Whether the request commits what a transaction has written, if it succeeds. */
        boolean isCandidate;

        boolean failed;
    }

    final Deque<R> requests = new ArrayDeque<>();
    boolean readable = true;

    /** Whether the open transaction has written. */
    boolean wrote;

    long answers;
    long commits;

    /** Reads bytes of the client; they may begin and end anywhere. */
    abstract void asked(ByteBuffer bytes);

    /** Reads bytes of the server; they may begin and end anywhere. */
    abstract void answered(ByteBuffer bytes);

    /** Returns whether a request is complete, and its answer is not. */
    final boolean awaitsAnswer() {
        return !requests.isEmpty();
    }

    /** Returns whether such a request commits, if it succeeds, what a transaction has written. */
    final boolean awaitsCommit() {
        for (R request : requests) {
            if (request.isCandidate) {
                return true;
            }
        }
        return false;
    }

    /** Returns the number of complete answers. */
    final long answers() {
        return answers;
    }

    /** Returns the number of complete answers that report a successful commit. */
    final long commits() {
        return commits;
    }

    /** Returns whether the conversation can be followed. If not, as after a change to TLS, the other results are void. */
    final boolean isReadable() {
        return readable;
    }
}
