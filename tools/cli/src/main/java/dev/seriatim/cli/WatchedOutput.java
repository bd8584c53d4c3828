// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** Records why output could not be written, which {@link PrintStream} does not report. Not thread-safe. */
final class WatchedOutput extends FilterOutputStream {

    private @Nullable IOException failure;

    WatchedOutput(OutputStream out) {
        super(out);
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    /** Reports a failure; not if the reader has closed the pipe, as {@code head} does. Returns whether it did. */
    boolean complain(PrintStream err, boolean draws) {
        if (failure == null || lacksPosition()) {
            return false;
        }
        String lost = draws ? """
                ; numbers that were drawn and not printed are lost""" : "";
        err.println("""
                seriatim: standard output cannot be written: %s; write elsewhere%s""".formatted(failure.getMessage(), lost));
        return true;
    }

    /** Returns whether this is a pipe, socket or terminal, to which writing fails only when its reader is gone. */
    private boolean lacksPosition() {
        try {
            return out instanceof FileOutputStream file && file.getChannel().position() < 0;
        } catch (IOException e) {
            return true;
        }
    }
}
