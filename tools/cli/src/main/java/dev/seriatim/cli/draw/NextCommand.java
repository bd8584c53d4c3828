// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.draw;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceException;
import dev.seriatim.cli.draw.NumberOptions.Rendering;
import dev.seriatim.cli.option.SequenceCommand;
import dev.seriatim.cli.option.StripesOption;
import dev.seriatim.cli.terminal.Progress;
import dev.seriatim.cli.terminal.WholeNumber;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.OpenStore;
import dev.seriatim.striped.Striping;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Draws numbers and prints them. */
@Command(name = "next", description = "Draws numbers, and prints one per line.", footer = """

                Without --mode, up to a million numbers are drawn in one transaction. With it,
                they are drawn one by one in that mode.

                --format writes numbers by a pattern: {seq:6} is six digits. More options
                follow after commas: radix=10|16|32|36, check=luhn|damm|mod97, max=LENGTH.

                --permute-range is part of the key: keep both. The range must stay the same
                from the first number on, even after 'alter' has changed the bounds.

                Example: seriatim next orders --permute-key-file key \\
                           --permute-range 100000..999999 --format 'INV-{seq:6}'
                Example: seriatim next invoices -n 3 --create""")
public final class NextCommand extends SequenceCommand {

    /** Number of lines between checks whether the reader is still there; each check flushes. */
    private static final int LINES_PER_LOOK = 1024;

    /** Most numbers of one transaction, and so the most that are lost when the reader leaves. */
    private static final int MOST_AT_ONCE = 1_000_000;

    /** Maximum time until a line is printed, so that a signal loses few lines. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    @Option(
            names = {"-n", "--count"},
            paramLabel = "COUNT",
            converter = WholeNumber.Positive.class,
            description = "Numbers to draw. Default: 1.")
    private long count = 1;

    @Option(names = "--create", description = "Create the sequence with the defaults if it is missing.")
    private boolean create;

    @Option(names = "--mode", paramLabel = "MODE", description = """
                    One of: ${COMPLETION-CANDIDATES}. Default: many numbers in one transaction.""")
    private @Nullable DrawMode mode;

    @Mixin
    private final BlockShape shape = new BlockShape();

    @Mixin
    private final StripesOption stripes = new StripesOption();

    @Mixin
    private final NumberOptions look = new NumberOptions();

    private @Nullable Rendering rendering;
    private volatile long drawn;
    private long looked = System.nanoTime();

    @Override
    protected void check() {
        refuse(shape.wrongFor(mode));
        refuse(stripes.wrong());
        if (stripes.of(name()).isPresent() && mode != null && mode.drawsInTransaction()) {
            throw usage(ModeNames.goesWith("--stripes", wanted -> !wanted.drawsInTransaction()));
        }
        refuse(look.wrong());
    }

    @Override
    protected void run(OpenStore store) {
        rendering = look.rendering(name()); // before anything is created or drawn
        Optional<Striping> striping = stripes.of(name());
        if (create) {
            createIfMissing(store, striping);
        }
        Progress progress = Progress.startUnlessOutputShows("drawing", () -> drawn, count);
        try {
            if (striping.isPresent()) {
                fromStripes(store, striping.get());
            } else if (mode == null) {
                while (drawn < count && print(reserved(store))) {}
            } else {
                mode.draw(store, name(), shape, this::printAll);
            }
        } catch (SequenceException thrown) {
            SequenceException e = rendering == null ? thrown : rendering.explained(thrown);
            throw count == 1 ? e : new DrewLess(e, drawn, count);
        } finally {
            progress.close();
        }
    }

    private void createIfMissing(OpenStore store, Optional<Striping> striping) {
        try {
            striping.ifPresentOrElse(counters -> counters.describe(store), () -> store.describe(name()));
        } catch (SequenceException.NotFound missing) {
            try {
                stripes.create(store, store.newDefinition(name()).build());
            } catch (SequenceException.AlreadyExists e) {
                // another session was faster
            }
        }
    }

    /** The transaction contains nothing but the draw, so a commit with an unknown outcome only loses numbers. */
    private Block reserved(OpenStore store) {
        try {
            return store.reserve(name(), Math.min(count - drawn, MOST_AT_ONCE)).block();
        } catch (SequenceException.CommitOutcomeUnknown lost) {
            throw new SequenceException.Unavailable(name(), """
                    the store's answer was lost, so values may be lost, but none is dealt twice; check the \
                    connection to the store, and draw again""", lost);
        }
    }

    /** Without a mode, numbers drawn together come from one stripe, in one transaction. */
    private void fromStripes(OpenStore store, Striping striping) {
        Allocation allocation =
                mode == null ? Allocation.combined() : shape.allocation(mode, store, striping.counter(0));
        try (StoreSequences sequences =
                StoreSequences.builder(store).giveBackOnClose(true).build()) {
            Sequence sequence = sequences.striped(striping, allocation);
            if (mode != null) {
                printAll(sequence::next);
                return;
            }
            while (drawn < count && print(sequence.next((int) Math.min(count - drawn, MOST_AT_ONCE)))) {}
        }
    }

    private void printAll(LongSupplier numbers) {
        while (drawn < count && print(numbers.getAsLong())) {}
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
        out().print(rendering == null ? Long.toString(value) : rendering.text(value));
        out().print('\n');
        drawn = line;
        long now = System.nanoTime();
        if (line % LINES_PER_LOOK != 0 && now - looked < LOOK_NANOS) {
            return true;
        }
        looked = now;
        return !out().checkError(); // which also flushes
    }

    /** Thrown when drawing ended early; says why, and how many numbers were drawn. */
    public static final class DrewLess extends RuntimeException {

        private static final long serialVersionUID = 1L;

        DrewLess(SequenceException why, long drawn, long wanted) {
            super(why.getMessage() + " (" + drawn + " of " + wanted + " drawn)", why);
        }
    }
}
