// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.SequenceException;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.draw.ModeNames;
import dev.seriatim.cli.store.SequenceName;
import dev.seriatim.cli.store.StoreCommand;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.StoreUrl;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Sets a sequence to a value, also backwards. */
@Command(
        name = "restart",
        description = "Deals a value next, even if it was dealt before: numbers may come twice. To only go forward, use"
                + " raise.",
        footer = {
            "",
            "Running instances hear of it with their next reservation only. Until then",
            "those in the modes BATCH, ASYNC_BATCH and ADAPTIVE go on with their blocks in",
            "hand, which nobody can see from here, so after a restart backwards numbers can",
            "be dealt by them and again by the sequence. Three ways out:",
            "",
            "  - stop every instance that draws from the sequence, then restart it;",
            "  - --idle 1m waits until nobody has reserved for a minute. That is no proof:",
            "    an instance that takes longer for a block is not seen;",
            "  - raise --to N jumps beyond everything reserved, and needs no stop.",
            "",
            "Numbers in the pool of the mode POOLED go at once; the other modes hold none.",
            "",
            "Example: seriatim restart invoices --with 1000 --idle 1m"
        })
final class RestartCommand extends StoreCommand {

    private static final long LOOK_MILLIS = 100;

    @Mixin
    private final SequenceName name = new SequenceName();

    @Option(names = "--with", paramLabel = "N", description = "The next value. Default: the sequence's start value.")
    private @Nullable Long value;

    @Option(
            names = "--idle",
            paramLabel = "DURATION",
            description = "Wait until nobody has reserved for so long, such as 30s or 5m. Default: do not wait.")
    private @Nullable String idle;

    private Duration quiet = Duration.ZERO;

    @Override
    protected void check() {
        String asked = idle;
        if (asked != null) {
            quiet = StoreUrl.parseDuration(asked)
                    .filter(duration -> duration.compareTo(Duration.ofMillis(1)) >= 0)
                    .orElseThrow(() ->
                            usage("--idle is a duration from 1ms on, such as 30s or 5m, not " + OneLine.quoted(asked)));
        }
    }

    @Override
    protected void run(OpenStore store) {
        SequenceState before = idle == null ? store.describe(name.toString()) : untilIdle(store);
        long next = value != null ? value : before.definition().start();
        SequenceState state = store.restart(name.toString(), next);
        out().println("restarted " + OneLine.quoted(name.toString()) + ", "
                + NextValue.sentence(state, PoolText.of(store, name.toString())));
        boolean up = before.definition().ascending();
        boolean beyond = up ? next > before.nextValue() : next < before.nextValue();
        if (!beyond && (before.usedUp() || next != before.nextValue())) {
            err().println("note: instances that are still running in the modes "
                    + ModeNames.and(DrawMode::dealsFromMemory) + " go on"
                    + " with their blocks in hand, so numbers of " + OneLine.quoted(name.toString())
                    + " can come twice; stop them"
                    + (before.usedUp()
                            ? ""
                            : ", or 'seriatim raise " + OneLine.of(name.toString()) + " --to " + before.nextValue()
                                    + "' takes it beyond those blocks again"));
        }
    }

    /** How it stands after it has stood so for as long as was asked for. */
    private SequenceState untilIdle(OpenStore store) {
        SequenceState state = store.describe(name.toString());
        err().println("waiting until nobody has reserved from " + OneLine.quoted(name.toString()) + " for " + idle);
        err().flush();
        long since = System.nanoTime();
        while (System.nanoTime() - since < quiet.toNanos()) {
            pause();
            SequenceState now = store.describe(name.toString());
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
            throw new SequenceException.Unavailable(
                    name.toString(), "interrupted while waiting; nothing was changed", e);
        }
    }
}
