// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.nio.ByteBuffer;

/** Follows the conversation on one connection. Not thread-safe. */
interface Wire {

    /** Reads what the client sends; the bytes may begin and end anywhere. */
    void asked(ByteBuffer bytes);

    /** Reads what the server answers; the bytes may begin and end anywhere. */
    void answered(ByteBuffer bytes);

    /** Returns whether a request is complete, and its answer is not. */
    boolean awaitsAnswer();

    /** Returns whether such a request commits, if it succeeds, what a transaction has written. */
    boolean awaitsCommit();

    /** Returns the number of complete answers. */
    long answers();

    /** Returns the number of complete answers to a commit that say that it succeeded. */
    long commits();

    /** Returns whether the conversation can be followed; if not, as after a change to TLS, the other methods mean nothing. */
    boolean isReadable();
}
