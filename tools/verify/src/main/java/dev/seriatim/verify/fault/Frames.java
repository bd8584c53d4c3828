// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Splits a stream of bytes into messages: a header with the length of the body, and the body. Not thread-safe. */
final class Frames {

    /** Reads the headers of a protocol, and receives its messages. */
    interface Protocol {
        int headerLength();

        /** Returns the length of the body; negative if this is not a header, which ends the reading. */
        long bodyLength(byte[] header);

        void message(byte[] header, Body body);
    }

    /** The kept beginning of a message's body. Valid only during the call. */
    static final class Body {
        private final byte[] bytes;
        private final int kept;
        private final long length;

        private Body(byte[] bytes, int kept, long length) {
            this.bytes = bytes;
            this.kept = kept;
            this.length = length;
        }

        /** Returns the number of kept bytes. */
        int kept() {
            return kept;
        }

        /** Returns the length of the whole body. */
        long length() {
            return length;
        }

        /** Returns the byte at an index, 0 beyond what is kept. */
        int at(int index) {
            return index < kept ? bytes[index] & 0xff : 0;
        }

        /** Returns the length of the text from an index up to a zero byte or the end. */
        int textLength(int from) {
            int end = from;
            while (end < kept && bytes[end] != 0) {
                end++;
            }
            return Math.max(0, end - from);
        }

        String text(int from, int textLength) {
            return from >= kept ? "" : new String(bytes, from, textLength, StandardCharsets.ISO_8859_1);
        }
    }

    private final Protocol protocol;
    private final byte[] header;
    private final byte[] body;
    private int headerRead;
    private long bodyLength;
    private long bodyRead;
    private boolean lost;

    /** @param keep the number of bytes of a body to keep */
    Frames(Protocol protocol, int keep) {
        this.protocol = protocol;
        this.header = new byte[8]; // no protocol has a longer one
        this.body = new byte[keep];
    }

    void read(ByteBuffer bytes) {
        while (!lost && (bytes.hasRemaining() || isComplete())) {
            int headerLength = protocol.headerLength();
            if (headerRead < headerLength) {
                header[headerRead++] = bytes.get();
                if (headerRead < headerLength) {
                    continue;
                }
                bodyLength = protocol.bodyLength(header);
                lost = bodyLength < 0;
                bodyRead = 0;
                continue;
            }
            takeBody(bytes);
            if (isComplete()) {
                int kept = (int) Math.min(bodyLength, body.length);
                headerRead = 0;
                protocol.message(header, new Body(body, kept, bodyLength));
            }
        }
    }

    private boolean isComplete() {
        return headerRead > 0 && headerRead == protocol.headerLength() && bodyRead == bodyLength;
    }

    private void takeBody(ByteBuffer bytes) {
        int now = (int) Math.min(bytes.remaining(), bodyLength - bodyRead);
        int kept = (int) Math.min(now, Math.max(0, body.length - bodyRead));
        bytes.get(body, (int) Math.min(bodyRead, body.length), kept);
        bytes.position(bytes.position() + now - kept);
        bodyRead += now;
    }
}
