// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import com.google.gson.Gson;
import dev.seriatim.Block;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.SequenceListener;
import dev.seriatim.check.Conservation;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.verify.worker.WorkerAccounts.FailedDraws;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The program of a {@link WorkerProcess}. Each line of its input is an {@link Order} in JSON, and each line of its output a
 * {@link Report}. It carries out one order after another, and ends at once when its input ends.
 */
public final class WorkerProgram {

    static final Gson JSON = new Gson();

    private static final int BROKEN = 3;
    private static final long PAUSE_MILLIS = 50;
    private static final long SHORTEST_REST_MILLIS = 5;
    private static final long LONGEST_REST_MILLIS = 200;

    private final Function<String, Optional<LaneDraws.Generator>> others;
    private final FileOutputStream out;
    private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();
    private final List<Lanes> drawing = new ArrayList<>();

    private String url = "";
    private @Nullable DrawFailures failures;
    private volatile boolean stopping;

    enum Task {
        /** Opens the store, and starts lanes. */
        BEGIN,
        STOP,
        /** Only reports the accounts, as the answers to the others do. */
        ACCOUNTS
    }

    /** An order, with how long the store may be unavailable, and a file for the ring of each thread. */
    record Order(Task task, String url, long patienceMillis, List<RingedLanes> lanes) {
        static Order of(Task task) {
            return new Order(task, "", 0, List.of());
        }
    }

    record RingedLanes(LaneOrder order, List<String> rings) {}

    /**
     * The answer to an order, or at any time a failure that an unavailable server does not explain.
     *
     * @param accounts null if the order was refused
     * @param reason why the order was refused
     */
    record Report(
            @Nullable WorkerAccounts accounts,
            String reason,
            @Nullable FailedDraws lasting) {}

    private record Lanes(LaneOrder order, LaneDraws draws, List<Lane> threads, ReservedNumbers numbers) {

        void close() throws InterruptedException {
            for (Lane thread : threads) {
                thread.join();
            }
            draws.close();
        }

        Conservation account() {
            return numbers.account(
                    threads.stream().mapToLong(thread -> thread.log.dealt()).sum());
        }
    }

    /** Takes turns until all are stopped. */
    private final class Lane extends Thread {

        private final LaneOrder order;
        private final LaneDraws draws;
        private final LaneLog log;
        private final DrawFailures failed;
        private long restAfterFailure = SHORTEST_REST_MILLIS;

        Lane(LaneOrder order, LaneDraws draws, LaneLog log, DrawFailures failed) {
            super("lane-" + order.generator());
            setDaemon(true);
            this.order = order;
            this.draws = draws;
            this.log = log;
            this.failed = failed;
        }

        @Override
        public void run() {
            try {
                log.ring.resume();
                takeTurns();
            } catch (InterruptedException e) {
                // no code interrupts it
            } catch (Error e) {
                breakDown(e);
            } finally {
                log.ring.end();
            }
        }

        private void takeTurns() throws InterruptedException {
            long interval = order.pace() == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / order.pace();
            long due = System.nanoTime();
            while (!stopping) {
                takeTurn();
                if (interval > 0) {
                    due += interval;
                    long millis = TimeUnit.NANOSECONDS.toMillis(due - System.nanoTime());
                    if (millis > 0) {
                        log.rest(millis);
                    } else if (millis < -TimeUnit.SECONDS.toMillis(1)) {
                        due = System.nanoTime(); // missed turns are not made up for
                    }
                }
            }
        }

        private void takeTurn() throws InterruptedException {
            try {
                draws.turn(log);
                restAfterFailure = SHORTEST_REST_MILLIS;
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                log.failed(failed.add(order.generator(), e));
                log.rest(restAfterFailure);
                restAfterFailure = Math.min(2 * restAfterFailure, LONGEST_REST_MILLIS);
            }
        }
    }

    /** Counts the reserved numbers of one generator. */
    private static final class ReservedNumbers implements SequenceListener {
        private final LongAdder reserved = new LongAdder();
        private final LongAdder lost = new LongAdder();
        private final LongAdder givenBack = new LongAdder();
        private final LongAdder unknown = new LongAdder();

        @Override
        public void reserved(String sequence, Block block, Duration took) {
            reserved.add(block.count());
        }

        @Override
        public void lost(String sequence, Block values) {
            lost.add(values.count());
        }

        @Override
        public void givenBack(String sequence, Block values) {
            givenBack.add(values.count());
        }

        @Override
        public void outcomeUnknown(String sequence, long count) {
            unknown.add(count);
        }

        Conservation account(long dealt) {
            return new Conservation(reserved.sum(), dealt, lost.sum(), givenBack.sum(), unknown.sum());
        }
    }

    private WorkerProgram(Function<String, Optional<LaneDraws.Generator>> others, FileOutputStream out) {
        this.others = others;
        this.out = out;
    }

    /** Draws in the modes of the library, and with the controls; works for feeds. */
    public static void main(String[] arguments) {
        run(name -> Stream.<Enum<?>>concat(Stream.of(ControlGenerator.values()), Stream.of(FeedRole.values()))
                .filter(each -> each.name().equals(name))
                .map(LaneDraws.Generator.class::cast)
                .findFirst());
    }

    /** Draws in the modes of the library, and with other generators; ends the process. */
    public static void run(Function<String, Optional<LaneDraws.Generator>> others) {
        @SuppressWarnings("resource") // not System.out, which may write a line in several pieces
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        System.setOut(System.err); // drivers may print
        WorkerProgram program = new WorkerProgram(others, out);
        try {
            program.readOrders();
            program.carryOutOrders();
        } catch (Throwable e) {
            program.breakDown(e);
        }
    }

    /** Reads orders on another thread, because this one may be busy when the parent ends. */
    private void readOrders() {
        Thread reader = new Thread(
                () -> {
                    try (BufferedReader lines =
                            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                            orders.add(JSON.fromJson(line, Order.class));
                        }
                    } catch (IOException e) {
                        // the same as its end
                    }
                    Runtime.getRuntime().halt(0); // without hooks, which take time
                },
                "worker-orders");
        reader.setDaemon(true);
        reader.start();
    }

    private void carryOutOrders() throws InterruptedException {
        while (true) {
            Order order = orders.take();
            try {
                switch (order.task()) {
                    case BEGIN -> begin(order);
                    case STOP -> stop();
                    case ACCOUNTS -> {}
                }
                report(new Report(accounts(), "", null));
            } catch (RuntimeException e) {
                report(new Report(null, DrawFailures.text(url, e), null));
            }
        }
    }

    private void begin(Order order) throws InterruptedException {
        url = order.url();
        OpenStore store = opened(order.patienceMillis());
        DrawFailures seen = new DrawFailures(url, store, failed -> report(new Report(null, "", failed)));
        failures = seen;
        order.lanes().forEach(lanes -> draw(store, seen, lanes));
    }

    private OpenStore opened(long patienceMillis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
        while (true) {
            try {
                return StoreDriver.open(url);
            } catch (Unavailable e) {
                if (System.nanoTime() - end > 0) {
                    throw e;
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        }
    }

    private void draw(OpenStore store, DrawFailures seen, RingedLanes ringed) {
        LaneOrder order = ringed.order();
        LaneDraws.Generator generator =
                others.apply(order.generator()).orElseGet(() -> new ModeDraws(DrawMode.valueOf(order.generator())));
        ReservedNumbers numbers = new ReservedNumbers();
        LaneDraws draws = generator.open(store, order, numbers);
        List<Lane> threads = ringed.rings().stream()
                .map(ring -> new Lane(order, draws, new LaneLog(DrawRing.open(Path.of(ring))), seen))
                .toList();
        threads.forEach(Thread::start);
        drawing.add(new Lanes(order, draws, threads, numbers));
    }

    private void stop() throws InterruptedException {
        stopping = true;
        for (Lanes lanes : drawing) {
            lanes.close();
        }
    }

    private WorkerAccounts accounts() {
        Map<String, Conservation> all = new LinkedHashMap<>();
        drawing.forEach(lanes -> all.put(lanes.order().generator(), lanes.account()));
        return new WorkerAccounts(all, failures == null ? List.of() : failures.all());
    }

    private void report(Report report) {
        write(JSON.toJson(report));
    }

    private synchronized void write(String line) {
        try {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            Runtime.getRuntime().halt(0); // the parent has ended
        }
    }

    /** Ends the process, with a message that is no report. */
    private void breakDown(Throwable e) {
        write(DrawFailures.text(url, e));
        Runtime.getRuntime().halt(BROKEN);
    }
}
