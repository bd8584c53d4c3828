// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.nio.ByteBuffer;

/**
 * Follows the conversation on one connection, so that a link can lose answers to commits. A link that loses any answers loses only 60 %
 * as many answers to commits in the same time; if it loses three times as many answers, 90 %, and fewer of them end transactions of the
 * gapless modes, because clients spend their time connecting. Not thread-safe.
 */
abstract class Wire {

    /** Whether the conversation can be followed. If not, as after a change to TLS, the other results are void. */
    boolean readable = true;

    /** Whether the open transaction has written. */
    boolean wrote;

    /** Complete answers. */
    long answers;

    /** Complete answers that report a successful commit of what a transaction has written. */
    long commits;

    /** Reads bytes of the client; they may begin and end anywhere. */
    abstract void asked(ByteBuffer bytes);

    /** Reads bytes of the server; they may begin and end anywhere. */
    abstract void answered(ByteBuffer bytes);

    /** A conversation of which only the turns are known: the bytes after a request are its answer. */
    static final class Opaque extends Wire {

        private boolean isAsked;

        @Override
        void asked(ByteBuffer bytes) {
            isAsked = true;
        }

        @Override
        void answered(ByteBuffer bytes) {
            answers += isAsked ? 1 : 0;
            isAsked = false;
        }
    }
}
