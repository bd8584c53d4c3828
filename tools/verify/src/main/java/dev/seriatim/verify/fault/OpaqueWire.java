// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.nio.ByteBuffer;

/** A conversation of which only the turns are known: what comes after a request is its answer. */
final class OpaqueWire implements Wire {

    private boolean asked;
    private long answers;

    @Override
    public void asked(ByteBuffer bytes) {
        asked = true;
    }

    @Override
    public void answered(ByteBuffer bytes) {
        if (asked) {
            answers++;
            asked = false;
        }
    }

    @Override
    public boolean awaitsAnswer() {
        return asked;
    }

    @Override
    public boolean awaitsCommit() {
        return false;
    }

    @Override
    public long answers() {
        return answers;
    }

    @Override
    public long commits() {
        return 0;
    }

    @Override
    public boolean isReadable() {
        return true;
    }
}
