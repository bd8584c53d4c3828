// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/**
 * A sequence in a random mode, over a store, an executor and a listener that fail at random; threads that draw from it in every
 * way, cancel, time out, are interrupted; and a closing at any time.
 */
final class ConservationRound {

    /** What is drawn from: a sequence, or a view of one. */
    private interface Source extends AutoCloseable {
        long next();

        LongStream next(int count);

        CompletableFuture<Long> nextAsync();

        Source local();

        @Override
        void close();
    }

    private static final ExecutorService THREADS = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "conservation");
        thread.setDaemon(true);
        return thread;
    });

    /** Without a stack trace, since each is logged. */
    private static final class OwnFault extends Error {
        private static final long serialVersionUID = 1L;

        OwnFault() {
            super("the listener's own fault, as this test wants it", null, false, false);
        }
    }

    private final SplittableRandom random;
    private final Ledger ledger = new Ledger();
    private final HookedStore store = new HookedStore();
    private final InMemoryStore memory = store.memory;
    private final ConcurrentLinkedQueue<CompletableFuture<Long>> drawn = new ConcurrentLinkedQueue<>();
    private final CountDownLatch hanging = new CountDownLatch(1);
    private final AtomicInteger flown = new AtomicInteger();
    private final Striping striping = new Striping("s", 3);
    private final StringBuilder plan = new StringBuilder();
    private volatile boolean calm;

    private final int failures;
    private final boolean striped;
    private final boolean reversed;

    ConservationRound(long seed) {
        random = new SplittableRandom(seed);
        failures = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(20);
        striped = random.nextInt(4) == 0;
        reversed = random.nextInt(4) == 0;
    }

    /** What went wrong; empty when nothing did. */
    String fault() throws InterruptedException {
        SequenceDefinition definition = definition();
        Allocation mode = mode();
        Duration patience = random.nextInt(3) == 0 ? Duration.ofMillis(2) : Duration.ofMillis(200);
        boolean back = random.nextBoolean();
        plan.append(mode)
                .append(", failures ")
                .append(failures)
                .append(" %, patience ")
                .append(patience);
        if (striped) {
            striping.create(memory, definition);
        } else {
            memory.create(definition);
        }
        Sequences sequences = Sequences.over(
                        random.nextInt(4) == 0 ? immediate(random.split()) : hooked(random.split()))
                .listener(listener(random.split()))
                .executor(executor(random.split()))
                .patience(patience)
                .giveBackOnClose(back)
                .build();
        Sequence sequence = striped ? sequences.striped(striping, mode) : sequences.open("s", mode);
        Source source = reversed ? view(sequence.bitReversed()) : plain(sequence);
        draw(source, sequences, sequence, mode.ordered());
        calm = true;
        hanging.countDown();
        closeQuietly(sequences);
        String fault = settled();
        return fault.isEmpty() ? "" : plan + ": " + fault;
    }

    private SequenceDefinition definition() {
        SequenceDefinition.Builder definition =
                SequenceDefinition.named("s").cache(1 + random.nextInt(60)).startWith(3L);
        if (random.nextInt(5) == 0) {
            definition.maxValue(20L + random.nextInt(2000));
            plan.append("short, ");
        }
        return definition.build();
    }

    private Allocation mode() {
        int size = 1 + random.nextInt(400);
        return switch (random.nextInt(8)) {
            case 0 -> Allocation.async();
            case 1 -> Allocation.combined();
            case 2 -> Allocation.batch();
            case 3 -> Allocation.batch(size);
            case 4 -> Allocation.asyncBatch(size, 1 + random.nextInt(size));
            case 5 -> Allocation.asyncBatch(2000, 1500);
            case 6 -> Allocation.adaptive(1, 1 + size);
            default -> Allocation.adaptive();
        };
    }

    private void draw(Source source, Sequences sequences, Sequence sequence, boolean ordered)
            throws InterruptedException {
        int threads = 1 + random.nextInt(3);
        int draws = 50 + random.nextInt(ordered ? 200 : 1500);
        boolean closing = random.nextInt(3) == 0;
        plan.append(", threads ").append(threads).append(closing ? ", closed meanwhile" : "");
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            SplittableRandom chance = random.split();
            Thread caller = new Thread(() -> drawAll(source, draws, chance), "caller-" + i);
            caller.setDaemon(true);
            callers.add(caller);
            caller.start();
            if (random.nextBoolean()) {
                LockSupport.parkNanos(200_000);
            }
        }
        boolean interrupting = random.nextInt(4) == 0;
        long closingAt = random.nextInt(3_000_000);
        LockSupport.parkNanos(closingAt);
        if (closing) {
            closeQuietly(random.nextBoolean() ? sequences : sequence);
        }
        for (Thread caller : callers) {
            while (interrupting && caller.isAlive()) {
                caller.interrupt();
                LockSupport.parkNanos(300_000);
            }
            caller.join();
        }
    }

    private void drawAll(Source source, int draws, SplittableRandom chance) {
        Source cursor = null;
        for (int i = 0; i < draws; i++) {
            try {
                int way = chance.nextInt(100);
                if (way < 80) {
                    dealt(source.next());
                } else if (way < 86) {
                    source.next(1 + chance.nextInt(25)).forEach(this::dealt);
                } else if (way < 92) {
                    drawAsync(source, chance);
                } else if (cursor == null) {
                    cursor = source.local();
                } else if (way < 97) {
                    dealt(cursor.next());
                } else if (way < 98) {
                    drawAsync(cursor, chance);
                } else if (way < 99) {
                    cursor.close();
                    cursor = null;
                } else {
                    cursor.next(1 + chance.nextInt(9)).forEach(this::dealt);
                }
            } catch (UnsupportedOperationException e) {
                // an ordered mode has no cursors
            } catch (IllegalStateException | SequenceException.Exhausted e) {
                if (chance.nextInt(20) == 0) {
                    break; // closed, or used up: some go on all the same
                }
            } catch (SequenceException | CompletionException e) {
                Thread.interrupted();
            }
        }
        if (cursor != null) {
            cursor.close();
        }
    }

    /** Waits for it, cancels it, lets it time out, or leaves it. */
    private void drawAsync(Source source, SplittableRandom chance) {
        CompletableFuture<Long> future = source.nextAsync();
        drawn.add(future);
        switch (chance.nextInt(6)) {
            case 0 -> future.cancel(true);
            case 1 -> {
                var unused = future.orTimeout(chance.nextInt(400), TimeUnit.MICROSECONDS);
            }
            case 2 -> {
                LockSupport.parkNanos(chance.nextInt(200_000));
                future.cancel(false);
            }
            case 3 -> {
                var unused = future.completeOnTimeout(-1L, chance.nextInt(400), TimeUnit.MICROSECONDS);
            }
            case 4 -> {}
            default -> future.join();
        }
    }

    private void dealt(long number) {
        long value = reversed ? Transform.bitReversed().invert(number) : number;
        if (striped) {
            String counter = striping.counter((int) Math.floorMod(value, 3L));
            ledger.dealt(counter, new Block(Math.floorDiv(value, 3L), 1, 1));
        } else {
            ledger.dealt("s", new Block(value, 1, 1));
        }
    }

    /** The account when everything has come to rest. */
    private String settled() throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        for (CompletionStage<Long> future : drawn) {
            future.whenComplete((number, failure) -> {
                if (failure == null && number != -1) {
                    dealt(number);
                }
            });
        }
        String fault = ledger.fault();
        while (!(fault.isEmpty() && pending() == 0) && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(1);
            fault = ledger.fault();
        }
        return pending() == 0 ? fault : pending() + " futures never completed; " + fault;
    }

    private long pending() {
        return drawn.stream().filter(future -> !future.isDone()).count();
    }

    private void closeQuietly(AutoCloseable open) {
        try {
            open.close();
        } catch (Exception e) {
            plan.append(", closing failed: ").append(e);
            ledger.reserved("failed closing", new Block(0, 1, 1));
        }
    }

    private boolean strikes(SplittableRandom chance) {
        synchronized (chance) {
            return !calm && chance.nextInt(100) < failures;
        }
    }

    private static int pick(SplittableRandom chance, int bound) {
        synchronized (chance) {
            return chance.nextInt(bound);
        }
    }

    private void beforeReserving(String name, long count, SplittableRandom chance) throws InterruptedException {
        if (strikes(chance)) {
            switch (pick(chance, 6)) {
                case 0 -> throw new SequenceException.Unavailable(name, "down", null);
                case 1 -> throw new NoClassDefFoundError("org/driver/Some");
                case 2 -> throw new IllegalStateException("the store's own fault");
                case 3 -> {
                    memory.reserve(name, count);
                    throw new SequenceException.CommitOutcomeUnknown(name, null);
                }
                case 4 -> {
                    if (flown.getAndIncrement() < 2) {
                        hanging.await(300, TimeUnit.MILLISECONDS);
                    }
                }
                default -> LockSupport.parkNanos(3_000_000);
            }
        }
        LockSupport.parkNanos(pick(chance, 4) * 50_000L);
    }

    private SequenceStore hooked(SplittableRandom chance) {
        store.hook = (name, count) -> beforeReserving(name, count, chance);
        store.answered = ledger::reserved;
        store.givingBack = (name, count) -> {
            if (strikes(chance)) {
                throw new SequenceException.Unavailable(name, "down", null);
            }
        };
        return store;
    }

    private ImmediateStore immediate(SplittableRandom chance) {
        return new ImmediateStore() {
            @Override
            public Optional<Reservation> reserveNow(String name, long count) {
                if (strikes(chance)) {
                    switch (pick(chance, 3)) {
                        case 0 -> throw new NoClassDefFoundError("org/driver/Some");
                        case 1 -> throw new SequenceException.Unavailable(name, "down", null);
                        default -> {
                            return Optional.empty();
                        }
                    }
                }
                Optional<Reservation> reservation = memory.reserveNow(name, count);
                reservation.ifPresent(reserved -> ledger.reserved(name, reserved.block()));
                return reservation;
            }

            @Override
            public Reservation reserve(String name, long count) {
                return hooked(chance).reserve(name, count);
            }
        };
    }

    private Executor executor(SplittableRandom chance) {
        return work -> {
            if (strikes(chance)) {
                switch (pick(chance, 4)) {
                    case 0 -> throw new OutOfMemoryError("unable to create native thread");
                    case 1 -> throw new RejectedExecutionException("full");
                    case 2 -> {
                        THREADS.execute(work);
                        throw new OutOfMemoryError("after it has taken the work");
                    }
                    default -> LockSupport.parkNanos(100_000);
                }
            }
            THREADS.execute(work);
        };
    }

    private SequenceListener listener(SplittableRandom chance) {
        AtomicInteger faults = new AtomicInteger(pick(chance, 10) == 0 ? 3 : 0); // few, since each is logged
        return new SequenceListener() {
            @Override
            public void reserved(String sequence, Block block, Duration took) {
                fail();
            }

            @Override
            public void waited(String sequence, Duration howLong) {
                fail();
            }

            @Override
            public void failed(String sequence, SequenceException failure) {
                fail();
            }

            @Override
            public void lost(String sequence, Block values) {
                ledger.lost(sequence, values);
                fail();
            }

            @Override
            public void outcomeUnknown(String sequence, long count) {
                fail();
            }

            @Override
            public void givenBack(String sequence, Block values) {
                ledger.givenBack(sequence, values);
                fail();
            }

            @Override
            public void nearlyExhausted(String sequence, BigInteger valuesLeft) {
                fail();
            }

            private void fail() {
                if (strikes(chance) && faults.getAndDecrement() > 0) {
                    throw new OwnFault();
                }
            }
        };
    }

    private static Source plain(Sequence sequence) {
        return new Source() {
            @Override
            public long next() {
                return sequence.next();
            }

            @Override
            public LongStream next(int count) {
                return sequence.next(count).values();
            }

            @Override
            public CompletableFuture<Long> nextAsync() {
                return sequence.nextAsync().toCompletableFuture();
            }

            @Override
            public Source local() {
                return plain(sequence.local());
            }

            @Override
            public void close() {
                sequence.close();
            }
        };
    }

    private static Source view(TransformedSequence sequence) {
        return new Source() {
            @Override
            public long next() {
                return sequence.next();
            }

            @Override
            public LongStream next(int count) {
                return LongStream.of(sequence.next(count));
            }

            @Override
            public CompletableFuture<Long> nextAsync() {
                return sequence.nextAsync().toCompletableFuture();
            }

            @Override
            public Source local() {
                return view(sequence.local());
            }

            @Override
            public void close() {
                sequence.close();
            }
        };
    }
}
