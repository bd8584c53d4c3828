// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Shows progress in a line on standard error, only on a terminal, after two seconds, and erases it at the end. Thread-safe. */
public final class Progress implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration PACE = Duration.ofMillis(200);
    private static final String ERASE = "\r\u001b[K";

    private final @Nullable Thread thread;

    private Progress(@Nullable Thread thread) {
        this.thread = thread;
    }

    /** Starts to show how many items of {@code total} are done, which another thread asks; 0 if the total is unknown. */
    public static Progress start(String what, LongSupplier done, long total) {
        // Set by the launcher: from Java 22 on, there is a console even without a terminal.
        if (!"1".equals(System.getProperty("seriatim.tty"))) {
            return new Progress(null);
        }
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        return start(what, done, total, err, PATIENCE);
    }

    /** The same, but silent if the results appear on the same terminal. */
    public static Progress startUnlessOutputShows(String what, LongSupplier done, long total) {
        boolean shown = "1".equals(System.getProperty("seriatim.tty.out"));
        return shown ? new Progress(null) : start(what, done, total);
    }

    static Progress start(String what, LongSupplier done, long total, PrintStream err, Duration patience) {
        Thread thread = new Thread(() -> show(what, done, total, err, patience), "progress");
        thread.setDaemon(true);
        thread.start();
        return new Progress(thread);
    }

    @Override
    public void close() {
        if (thread == null) {
            return;
        }
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void show(String what, LongSupplier done, long total, PrintStream err, Duration patience) {
        boolean shown = false;
        try {
            Thread.sleep(patience.toMillis());
            while (true) {
                shown = true;
                err.print(ERASE + line(what, done.getAsLong(), total));
                err.flush();
                Thread.sleep(PACE.toMillis());
            }
        } catch (InterruptedException e) {
            if (shown) {
                err.print(ERASE);
                err.flush();
            }
        }
    }

    static String line(String what, long done, long total) {
        return total > 0
                ? String.format(Locale.ROOT, "%s: %,d of %,d (%d %%)", what, done, total, (long) (100.0 * done / total))
                : String.format(Locale.ROOT, "%s: %,d", what, done);
    }
}
