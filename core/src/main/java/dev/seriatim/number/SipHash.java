// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * SipHash-2-4: a keyed pseudorandom function of byte strings, with a 64-bit result (J.-P. Aumasson, D. J. Bernstein:
 * SipHash: a fast short-input PRF, INDOCRYPT 2012). Immutable and thread-safe. Has no toString, because its fields are
 * secret.
 */
final class SipHash {

    final long k0;
    final long k1;

    SipHash(long k0, long k1) {
        this.k0 = k0;
        this.k1 = k1;
    }

    long of(byte[] message) {
        State state = new State(k0, k1);
        ByteBuffer words = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        while (words.remaining() >= Long.BYTES) {
            state.absorb(words.getLong());
        }
        long rest = 0;
        for (int shift = 0; words.hasRemaining(); shift += Byte.SIZE) {
            rest |= (words.get() & 0xffL) << shift;
        }
        return state.finish(rest, message.length);
    }

    /** Returns the hash of a message of {@code length} bytes, at most 7: the low bytes of a little-endian word. */
    long of(long bytes, int length) {
        return new State(k0, k1).finish(bytes, length);
    }

    /** The four words of state. Never escapes its method, so that the compiler keeps them in registers. */
    private static final class State {
        private long v0;
        private long v1;
        private long v2;
        private long v3;

        State(long k0, long k1) {
            v0 = k0 ^ 0x736f6d6570736575L;
            v1 = k1 ^ 0x646f72616e646f6dL;
            v2 = k0 ^ 0x6c7967656e657261L;
            v3 = k1 ^ 0x7465646279746573L;
        }

        void absorb(long word) {
            v3 ^= word;
            round();
            round();
            v0 ^= word;
        }

        long finish(long rest, int length) {
            absorb(rest | (long) length << 56);
            v2 ^= 0xff;
            round();
            round();
            round();
            round();
            return v0 ^ v1 ^ v2 ^ v3;
        }

        private void round() {
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
        }
    }
}
