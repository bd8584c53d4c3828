// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import org.jspecify.annotations.Nullable;

/**
 * The draws of one lane, which began and returned in the order in which they were added. Each is first checked, then passed;
 * then its room is used again.
 */
final class DrawQueue {

    private static final int FIELDS = 4;
    private static final int FIRST_ROOM = 8;
    private static final int MOST_ROOM = 256;

    private static final class Chunk {
        private final long[] fields;
        private @Nullable Chunk next;

        private Chunk(int room) {
            fields = new long[room * FIELDS];
        }
    }

    /** A place in the chunks. Moves to the next chunk when it is read, since that may not exist before. */
    private static final class Cursor {
        private Chunk chunk;
        private int at;

        private Cursor(Chunk chunk) {
            this.chunk = chunk;
        }

        private boolean atEnd() {
            return at == chunk.fields.length;
        }

        private void hop() {
            if (atEnd() && chunk.next != null) {
                chunk = chunk.next;
                at = 0;
            }
        }
    }

    private final Cursor added = new Cursor(new Chunk(FIRST_ROOM));
    private final Cursor checked = new Cursor(added.chunk);
    private final Cursor passed = new Cursor(added.chunk);
    private @Nullable Chunk spare;
    private long unchecked;
    private long unpassed;

    void add(long began, long returned, long first, long last) {
        if (added.atEnd()) {
            added.chunk.next = fresh();
            added.hop();
        }
        long[] fields = added.chunk.fields;
        int at = added.at;
        fields[at] = began;
        fields[at + 1] = returned;
        fields[at + 2] = first;
        fields[at + 3] = last;
        added.at = at + FIELDS;
        unchecked++;
        unpassed++;
    }

    boolean anyUnchecked() {
        return unchecked > 0;
    }

    /** Returns when the next draw to check began. */
    long began() {
        checked.hop();
        return checked.chunk.fields[checked.at];
    }

    /** Returns the first number of the next draw to check. */
    long first() {
        checked.hop();
        return checked.chunk.fields[checked.at + 2];
    }

    void check() {
        checked.hop();
        checked.at += FIELDS;
        unchecked--;
    }

    boolean anyUnpassed() {
        return unpassed > 0;
    }

    long unpassed() {
        return unpassed;
    }

    /** Returns when the next draw to pass returned. */
    long passedReturned() {
        hopPassed();
        return passed.chunk.fields[passed.at + 1];
    }

    /** Returns the last number of the next draw to pass. */
    long passedLast() {
        hopPassed();
        return passed.chunk.fields[passed.at + 3];
    }

    void pass() {
        hopPassed();
        passed.at += FIELDS;
        unpassed--;
    }

    private void hopPassed() {
        if (!passed.atEnd()) {
            return;
        }
        checked.hop();
        Chunk left = passed.chunk;
        passed.hop();
        if (left != passed.chunk && left.fields.length == MOST_ROOM * FIELDS) {
            left.next = null;
            spare = left;
        }
    }

    private Chunk fresh() {
        Chunk reused = spare;
        spare = null;
        return reused != null ? reused : new Chunk(Math.min(MOST_ROOM, 2 * added.chunk.fields.length / FIELDS));
    }
}
