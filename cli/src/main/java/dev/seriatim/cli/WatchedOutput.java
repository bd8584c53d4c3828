// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Remembers why output could not be written, which a {@link PrintStream} does not tell. Not thread-safe. */
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

    /** Says what went wrong, if it matters: a reader that has seen enough, such as {@code head}, is no failure. */
    boolean complain(PrintStream err) {
        if (failure == null) {
            return false;
        }
        String why = String.valueOf(failure.getMessage());
        if (why.toLowerCase(Locale.ROOT).contains("pipe")) {
            return false;
        }
        err.println("seriatim: standard output cannot be written: " + why
                + "; write elsewhere, and count what was drawn and not shown as lost");
        return true;
    }
}
