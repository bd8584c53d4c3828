// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.draw;

import dev.seriatim.Block;
import dev.seriatim.SequenceException;
import dev.seriatim.cli.option.SequenceName;
import dev.seriatim.cli.option.StoreCommand;
import dev.seriatim.cli.option.StripesOption;
import dev.seriatim.cli.terminal.Progress;
import dev.seriatim.store.OpenStore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Draws numbers and prints them. */
@Command(name = "next", description = "Draws numbers, and prints one per line.", footer = """

                Without --mode, all numbers are drawn in one transaction. With it, they are
                drawn one by one in that mode.

                --format writes numbers by a pattern: {seq:6} is six digits. More options
                follow after commas: radix=10|16|32|36, check=luhn|damm|mod97, max=LENGTH.

                --permute-range is part of the key: keep both. The range must stay the same
                from the first number on, even after 'alter' has changed the bounds.

                Example: seriatim next orders --permute-key-file key \\
                           --permute-range 100000..999999 --format 'INV-{seq:6}'
                Example: seriatim next invoices -n 3 --create""")
public final class NextCommand extends StoreCommand {

    /** Number of lines between checks whether the reader is still there; each check flushes. */
    private static final int LINES_PER_LOOK = 1024;

    /** Maximum time until a line is printed, so that a signal loses few lines. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    @Mixin
    private final SequenceName name = new SequenceName();

    @Option(
            names = {"-n", "--count"},
            paramLabel = "COUNT",
            description = "Number of numbers to draw. Default: 1.")
    private long count = 1;

    @Option(names = "--create", description = "Create the sequence with the defaults if it is missing.")
    private boolean create;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description = "One of: ${COMPLETION-CANDIDATES}. Default: all numbers in one transaction.")
    private @Nullable DrawMode mode;

    @Mixin
    private final BlockShape shape = new BlockShape();

    @Mixin
    private final StripesOption stripes = new StripesOption();

    @Mixin
    private final NumberOptions look = new NumberOptions();

    private @Nullable Rendering text;
    private volatile long drawn;

    private long looked = System.nanoTime();

    @Override
    protected void check() {
        if (count < 1) {
            throw usage("-n must be at least 1, not " + count);
        }
        refuse(shape.wrongFor(mode));
        refuse(stripes.wrong());
        if (stripes.given() && mode != null && mode.drawsInTransaction()) {
            throw usage("--stripes goes with --mode " + ModeNames.or(wanted -> !wanted.drawsInTransaction()) + " only");
        }
        refuse(look.wrong());
    }

    private void refuse(String wrong) {
        if (!wrong.isEmpty()) {
            throw usage(wrong);
        }
    }

    @Override
    protected void run(OpenStore store) {
        text = look.given() ? Rendering.of(look, name.toString()) : null; // before anything is created or drawn
        if (create) {
            createIfMissing(store);
        }
        Progress progress = Progress.startUnlessOutputShows("drawing", () -> drawn, count);
        try {
            if (stripes.given()) {
                fromStripes(store);
            } else if (mode == null) {
                inOneTransaction(store);
            } else {
                oneByOne(store, mode);
            }
        } catch (SequenceException thrown) {
            SequenceException e =
                    text != null && thrown instanceof SequenceException.Exhausted end ? text.explained(end) : thrown;
            throw count == 1 ? e : new DrewLess(e, drawn, count);
        } finally {
            progress.close();
        }
    }

    private void createIfMissing(OpenStore store) {
        if (stripes.given()) {
            StripedDraws.createIfMissing(store, name.toString(), stripes.count());
            return;
        }
        try {
            store.describe(name.toString());
        } catch (SequenceException.NotFound missing) {
            try {
                store.create(store.newDefinition(name.toString()).build());
            } catch (SequenceException.AlreadyExists e) {
                // another session was faster
            }
        }
    }

    /** Repeats only at the end of the sequence: it then starts over if it cycles, or fails because it is used up. */
    private void inOneTransaction(OpenStore store) {
        while (drawn < count && print(reserved(store))) {}
    }

    /** The transaction contains nothing but the draw, so a commit with an unknown outcome only loses numbers. */
    private Block reserved(OpenStore store) {
        try {
            return store.reserve(name.toString(), count - drawn).block();
        } catch (SequenceException.CommitOutcomeUnknown lost) {
            throw new SequenceException.Unavailable(
                    name.toString(),
                    "the store's answer was lost, so the values of this draw may be lost and are never dealt;"
                            + " check the connection to the store, and draw again",
                    lost);
        }
    }

    private void fromStripes(OpenStore store) {
        try (StripedDraws draws = StripedDraws.open(store, name.toString(), stripes.count(), mode, shape)) {
            if (mode == null) {
                while (drawn < count && print(draws.next(count - drawn))) {}
            } else {
                while (drawn < count && print(draws.next())) {}
            }
        }
    }

    private void oneByOne(OpenStore store, DrawMode how) {
        try (NumberSource draws = how.open(store, name.toString(), shape)) {
            while (drawn < count && print(draws.next())) {}
        }
    }

    private boolean print(Block block) {
        for (long i = 0; i < block.count(); i++) {
            if (!print(block.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Prints a line; returns whether the reader is still there. */
    private boolean print(long value) {
        long line = drawn + 1;
        if (text == null) {
            out().print(value);
        } else {
            out().print(text.apply(value));
        }
        out().print('\n');
        drawn = line;
        long now = System.nanoTime();
        if (line % LINES_PER_LOOK != 0 && now - looked < LOOK_NANOS) {
            return true;
        }
        looked = now;
        return !out().checkError(); // which also flushes
    }
}
