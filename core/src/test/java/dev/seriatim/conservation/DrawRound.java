// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.striped.Striping;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A round of a mode that draws in separate transactions: reserved = dealt + lost + given back + in hand, and in order
 * if the mode is ordered.
 */
final class DrawRound<T> extends Round<T> {

    private static final int STRIPES = 5; // shares no factor with any increment

    /** Never dealt here; the value of a future that timed out. */
    private static final Object TIMED_OUT = new Object();

    /** A number, and when its draw started and returned. */
    private record Timed(long began, long returned, long number) {}

    private record Async(Source source, CompletableFuture<?> future) {}

    private final ConservationMode mode;
    private final Ledger ledger = new Ledger();
    private final Queue<Async> futures = new ConcurrentLinkedQueue<>();
    private final Queue<Timed> timed = new ConcurrentLinkedQueue<>();
    private final Instances<Sequence> instances = new Instances<>();
    private final List<Source> sources = new ArrayList<>();
    private final Striping striping;
    private final boolean striped;
    private final boolean forward;
    private final Map<Thread, Source> cursors = new ConcurrentHashMap<>();

    DrawRound(Ground<T> ground, RandomChoices chance, ConservationMode mode) {
        super(ground, chance);
        this.mode = mode;
        striping = new Striping(name, STRIPES);
        striped = chance.oneIn(5);
        SequenceDefinition definition = definition(!striped); // stripes would wrap around at different times
        forward = definition.ascending() && !definition.cycle();
        Allocation allocation = mode.allocation(chance);
        plan.append(allocation);
        if (striped) {
            plan.append(", striped");
            striping.create(ground.catalog(), definition);
        }
        create(definition); // in a striped round, an administrator changes this one, which no one draws from
        Duration patience = patience();
        boolean back = chance.oneIn(2);
        for (int i = chance.oneIn(3) ? 2 : 1; i > 0; i--) {
            StoreSequences instance =
                    instance(ledger, patience).giveBackOnClose(back).build();
            Sequence sequence = striped ? instance.striped(striping, allocation) : instance.open(name, allocation);
            instances.add(instance, sequence);
            sources.add(Source.of(sequence, chance, plan));
        }
    }

    @Override
    boolean onlyBounds() {
        return false;
    }

    @Override
    int actions() {
        return 20 + chance.pick(mode.ordered() ? 60 : 400);
    }

    /** Shorter than the longest patience: no store hangs that long here, so no caller has to wait for its end. */
    @Override
    Duration longest() {
        return Duration.ofMillis(4_500);
    }

    @Override
    Duration patient() {
        return Duration.ofSeconds(5);
    }

    @Override
    void act(RandomChoices chance) {
        Source source = sources.get(chance.pick(sources.size()));
        try {
            int way = chance.pick(100);
            Source cursor = cursors.get(Thread.currentThread());
            if (way < 80) {
                drawInTime(source);
            } else if (way < 86) {
                source.next(1 + chance.pick(25)).forEach(this::dealt);
            } else if (way < 92) {
                drawAsync(source, chance);
            } else if (cursor == null) {
                cursors.put(Thread.currentThread(), source.local());
            } else if (way < 97) {
                dealt(cursor.next());
            } else if (way < 98) {
                drawAsync(cursor, chance);
            } else if (way < 99) {
                cursors.remove(Thread.currentThread());
                cursor.close();
            } else {
                cursor.next(1 + chance.pick(9)).forEach(this::dealt);
            }
        } catch (UnsupportedOperationException e) {
            // an ordered mode has no cursors
        } catch (IllegalStateException e) {
            chance.pause(100); // closed
        } catch (SequenceException e) {
            expected(e);
            var unused = Thread.interrupted();
        } catch (CompletionException e) {
            if (e.getCause() instanceof SequenceException failure) {
                expected(failure);
            } else if (!(e.getCause() instanceof IllegalStateException)) {
                unexpected(e);
            }
        }
    }

    @Override
    void leave() {
        Source cursor = cursors.remove(Thread.currentThread());
        if (cursor != null) {
            cursor.close();
        }
    }

    private void drawInTime(Source source) {
        long began = System.nanoTime();
        long number = source.next();
        timed.add(new Timed(began, System.nanoTime(), number));
        dealt(number);
    }

    /** Waits for the future, cancels it, lets it time out, or leaves it. */
    private void drawAsync(Source source, RandomChoices chance) {
        CompletableFuture<?> future = source.nextAsync();
        futures.add(new Async(source, future));
        switch (chance.pick(6)) {
            case 0 -> future.cancel(true);
            case 1 -> {
                var unused = future.orTimeout(chance.pick(400), TimeUnit.MICROSECONDS);
            }
            case 2 -> {
                chance.pause(200);
                future.cancel(false);
            }
            case 3 -> completeLate(future, chance.pick(400));
            case 4 -> {}
            default -> future.join();
        }
    }

    @SuppressWarnings("unchecked") // distinguished by identity from drawn values
    private static void completeLate(CompletableFuture<?> future, int micros) {
        var unused = ((CompletableFuture<Object>) future).completeOnTimeout(TIMED_OUT, micros, TimeUnit.MICROSECONDS);
    }

    private void dealt(long value) {
        if (striped) {
            String counter = striping.counter((int) Math.floorMod(value, (long) STRIPES));
            ledger.dealt(counter, new Block(Math.floorDiv(value, (long) STRIPES), 1, 1));
        } else {
            ledger.dealt(name, new Block(value, 1, 1));
        }
    }

    @Override
    void closeOne() throws Exception {
        instances.closeOne(chance);
    }

    @Override
    void drawOne() {
        for (Source source : sources) {
            dealt(source.next());
        }
    }

    /** Also reports for closed sequences: what a thread held when they closed during its draw. */
    @Override
    void close() {
        instances.sequences().forEach(Sequence::close);
        instances.close();
    }

    /** Returns the account when all threads have ended. */
    @Override
    String account(Changes changes) {
        for (Async async : futures) {
            var unused = async.future().whenComplete((number, failure) -> {
                if (failure == null && number != TIMED_OUT) {
                    dealt(async.source().number(number));
                }
            });
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        String fault = ledger.fault();
        while (!(fault.isEmpty() && pending() == 0) && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000_000);
            fault = ledger.fault();
        }
        return (pending() == 0 ? "" : pending() + " futures never completed; ")
                + fault
                + (mode.ordered() && !striped && forward && changes.keepOrder() ? disorder() : "");
    }

    private long pending() {
        return futures.stream().filter(async -> !async.future().isDone()).count();
    }

    /** Returns draws of which one returned before the other started, with numbers in the wrong order. */
    private String disorder() {
        List<Timed> byBeginning = new ArrayList<>(timed);
        byBeginning.sort(Comparator.comparingLong(Timed::began));
        List<Timed> byReturn = new ArrayList<>(timed);
        byReturn.sort(Comparator.comparingLong(Timed::returned));
        long highest = Long.MIN_VALUE;
        int returned = 0;
        for (Timed draw : byBeginning) {
            while (returned < byReturn.size() && byReturn.get(returned).returned() < draw.began()) {
                highest = Math.max(highest, byReturn.get(returned++).number());
            }
            if (draw.number() <= highest) {
                return draw.number() + " was drawn after " + highest + " had been returned";
            }
        }
        return "";
    }
}
