// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Locale;
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
    boolean complain(PrintStream err) {
        if (failure == null) {
            return false;
        }
        String why = String.valueOf(failure.getMessage());
        if (why.toLowerCase(Locale.ROOT).contains("pipe")) {
            return false;
        }
        err.println("""
                seriatim: standard output cannot be written: %s; write elsewhere; numbers that were drawn and not \
                printed are lost""".formatted(why));
        return true;
    }
}
