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
 * @param <R> a request
 */
abstract class Wire<R extends Wire.Request> {

    static class Request {
        /** Whether the request commits what a transaction has written, if it succeeds. */
        boolean isCandidate;

        boolean failed;
    }

    /** The requests whose answers are not complete. */
    final Deque<R> requests = new ArrayDeque<>();

    /** Whether the conversation can be followed. If not, as after a change to TLS, the other results are void. */
    boolean readable = true;

    /** Whether the open transaction has written. */
    boolean wrote;

    /** Complete answers. */
    long answers;

    /** Complete answers that report a successful commit. */
    long commits;

    /** Reads bytes of the client; they may begin and end anywhere. */
    abstract void asked(ByteBuffer bytes);

    /** Reads bytes of the server; they may begin and end anywhere. */
    abstract void answered(ByteBuffer bytes);

    /** Returns whether an answer is due: to any request, or to one that commits, if it succeeds, what a transaction has written. */
    final boolean awaits(boolean commit) {
        return requests.stream().anyMatch(request -> !commit || request.isCandidate);
    }

    /** Returns the number of complete answers: all, or those that report a successful commit. */
    final long complete(boolean commit) {
        return commit ? commits : answers;
    }

    /** A conversation of which only the turns are known: the bytes after a request are its answer. */
    static final class Opaque extends Wire<Request> {
        @Override
        void asked(ByteBuffer bytes) {
            if (requests.isEmpty()) {
                requests.add(new Request());
            }
        }

        @Override
        void answered(ByteBuffer bytes) {
            if (requests.poll() != null) {
                answers++;
            }
        }
    }
}
