// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.SequenceException;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.draw.ModeNames;
import dev.seriatim.cli.option.SequenceCommand;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.StoreUrl;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Sets the next value of a sequence, also to an earlier one. */
@Command(name = "restart", description = """
                Sets the next value of a sequence, also to one that was dealt before: numbers may be dealt twice. To \
                move only forward, use raise.""", footer = """

                Running instances notice a restart with their next reservation. Until then, in
                the modes BATCH, ASYNC_BATCH and ADAPTIVE, they deal the rest of their blocks.
                If the sequence restarts at an earlier value, these numbers can be dealt twice.
                To avoid that, stop all instances first, or use raise --to N beyond everything
                reserved. --idle 1m does not ensure that: a block may last longer.

                Numbers in the pool of the mode POOLED are removed at once.

                Example: seriatim restart invoices --with 1000 --idle 1m""")
final class RestartCommand extends SequenceCommand {

    private static final long LOOK_MILLIS = 100;

    @Option(names = "--with", paramLabel = "N", description = "The next value. Default: the sequence's start value.")
    private @Nullable Long value;

    @Option(names = "--idle", paramLabel = "DURATION", description = """
                    Wait until there was no reservation for this long, such as 30s or 5m. Default: do not wait.""")
    private @Nullable String idle;

    private Duration quiet = Duration.ZERO;

    @Override
    protected void check() {
        String asked = idle;
        if (asked != null) {
            quiet = StoreUrl.parseDuration(asked)
                    .filter(duration -> duration.compareTo(Duration.ofMillis(1)) >= 0)
                    .orElseThrow(() -> usage("--idle must be a duration of 1ms or more, such as 30s or 5m, not "
                            + OneLine.quoted(asked)));
        }
    }

    @Override
    protected void run(OpenStore store) {
        SequenceState before = idle == null ? store.describe(name()) : untilIdle(store);
        long next = value != null ? value : before.definition().start();
        SequenceState state = store.restart(name(), next);
        out().println("restarted " + quoted() + ", " + StateReport.sentence(state, store));
        boolean up = before.definition().ascending();
        boolean beyond = up ? next > before.nextValue() : next < before.nextValue();
        if (!beyond && (before.usedUp() || next != before.nextValue())) {
            String modes = ModeNames.and(DrawMode::dealsFromMemory);
            String raise = before.usedUp()
                    ? ""
                    : ", or run 'raise %s --to %s' with the same store to go beyond those blocks again"
                            .formatted(OneLine.of(name()), before.nextValue());
            err().println("""
                    note: running instances in the modes %s deal the rest of their blocks, so numbers of %s can be \
                    dealt twice; stop them%s""".formatted(modes, quoted(), raise));
        }
    }

    /** Returns the state after it has not changed for as long as requested. */
    private SequenceState untilIdle(OpenStore store) {
        SequenceState state = store.describe(name());
        err().println("waiting until there is no reservation from " + quoted() + " for " + idle);
        err().flush();
        long since = System.nanoTime();
        while (System.nanoTime() - since < quiet.toNanos()) {
            pause();
            SequenceState now = store.describe(name());
            if (!now.equals(state)) {
                state = now;
                since = System.nanoTime();
            }
        }
        return state;
    }

    private void pause() {
        try {
            Thread.sleep(Math.min(LOOK_MILLIS, quiet.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SequenceException.Unavailable(name(), "interrupted; nothing changed", e);
        }
    }
}
