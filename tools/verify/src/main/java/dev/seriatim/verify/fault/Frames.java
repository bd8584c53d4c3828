// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Splits a stream of bytes into messages: a header with the length of the body, and the body. Not thread-safe. */
abstract class Frames {

    /** Enough bytes of a statement to classify it. */
    static final int OF_STATEMENTS = 8 * 1024;

    static final int OF_ANSWERS = 64;

    private final byte[] header = new byte[8]; // no protocol has a longer one
    private final byte[] body;
    private int headerRead;
    private long bodyLength;
    private long bodyRead;
    private boolean lost;

    /** @param keep the number of bytes to keep of a body */
    Frames(int keep) {
        body = new byte[keep];
    }

    abstract int headerLength();

    /** Returns the length of the body; negative if this is not a header, which ends the reading. */
    abstract long bodyLength(byte[] header);

    /** Receives a message, whose body can be read until this returns. */
    abstract void message(byte[] header);

    final void read(ByteBuffer bytes) {
        while (!lost && bytes.hasRemaining()) {
            if (headerRead < headerLength()) {
                header[headerRead++] = bytes.get();
                if (headerRead == headerLength()) {
                    bodyLength = bodyLength(header);
                    lost = bodyLength < 0;
                    bodyRead = 0;
                }
            } else {
                readBody(bytes);
            }
            if (!lost && headerRead == headerLength() && bodyRead == bodyLength) {
                headerRead = 0;
                message(header);
            }
        }
    }

    private void readBody(ByteBuffer bytes) {
        int now = (int) Math.min(bytes.remaining(), bodyLength - bodyRead);
        int kept = (int) Math.min(now, Math.max(0, body.length - bodyRead));
        bytes.get(body, (int) Math.min(bodyRead, body.length), kept);
        bytes.position(bytes.position() + now - kept);
        bodyRead += now;
    }

    final long length() {
        return bodyLength;
    }

    /** Returns a byte of the body, 0 beyond what is kept. */
    final int at(int index) {
        return index < Math.min(bodyLength, body.length) ? body[index] & 0xff : 0;
    }

    /** Returns the text from an index up to a zero byte or the end of what is kept. */
    final String text(int from) {
        int end = from;
        while (at(end) != 0) {
            end++;
        }
        return end == from ? "" : new String(body, from, end - from, StandardCharsets.ISO_8859_1);
    }
}
