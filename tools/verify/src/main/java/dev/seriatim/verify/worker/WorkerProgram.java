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
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The program of a {@link WorkerProcess}. Each line of its input is an {@link Order} in JSON, and each line of its output a
 * {@link Report}. It carries out one order after another, and ends at once when its input ends.
 */
public final class WorkerProgram {

    static final Gson JSON = new Gson();

    private static final int BROKEN = 3;
    private static final long PAUSE_MILLIS = 50;

    private final Function<String, Optional<LaneDraws.Generator>> others;
    private final FileOutputStream out;
    private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();
    private final List<Lanes> drawing = new ArrayList<>();

    private String url = "";
    private @Nullable OpenStore store;
    private @Nullable DrawFailures failures;

    enum Task {
        /** Opens the store of the URL, within the patience. */
        OPEN,
        /** Starts lanes, with a file for the ring of each. */
        DRAW,
        /** Stops all lanes and closes their sequences. */
        STOP,
        /** Only reports the accounts, as the answers to the others do. */
        ACCOUNTS
    }

    record Order(
            Task task,
            String url,
            long patienceMillis,
            @Nullable LaneOrder lanes,
            List<String> rings) {
        static Order of(Task task) {
            return new Order(task, "", 0, null, List.of());
        }
    }

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

    /** The lanes of one order. */
    private record Lanes(LaneOrder order, LaneDraws draws, List<LaneThread> threads, ReservedNumbers numbers) {

        void close() throws InterruptedException {
            for (LaneThread thread : threads) {
                thread.join();
            }
            draws.close();
        }

        Conservation account() {
            return numbers.account(
                    threads.stream().mapToLong(thread -> thread.log.dealt()).sum());
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

    /**
     * Draws in the modes of the library, and with the controls.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
        run(ControlGenerator::named);
    }

    /**
     * Draws in the modes of the library, and with other generators; ends the process.
     *
     * @param others the others by name
     */
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
                    case OPEN -> open(order.url(), Duration.ofMillis(order.patienceMillis()));
                    case DRAW -> draw(order);
                    case STOP -> stop();
                    case ACCOUNTS -> {}
                }
                report(new Report(accounts(), "", null));
            } catch (RuntimeException e) {
                report(new Report(null, DrawFailures.text(url, e), null));
            }
        }
    }

    private void open(String text, Duration patience) throws InterruptedException {
        url = text;
        long end = System.nanoTime() + patience.toNanos();
        while (store == null) {
            try {
                store = StoreDriver.open(url);
                failures = new DrawFailures(url, store, failed -> report(new Report(null, "", failed)));
            } catch (Unavailable e) {
                if (System.nanoTime() - end > 0) {
                    throw e;
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        }
    }

    private void draw(Order ordered) {
        LaneOrder order = ordered.lanes();
        if (store == null || failures == null || order == null) {
            throw new IllegalStateException("no store is open");
        }
        LaneDraws.Generator generator =
                others.apply(order.generator()).orElseGet(() -> new ModeDraws(DrawMode.valueOf(order.generator())));
        ReservedNumbers numbers = new ReservedNumbers();
        LaneDraws draws = generator.open(store, order, numbers);
        List<LaneThread> threads = new ArrayList<>();
        for (String ring : ordered.rings()) {
            LaneLog log = new LaneLog(DrawRing.open(Path.of(ring)));
            threads.add(new LaneThread(order, draws, log, failures, this::breakDown));
        }
        threads.forEach(Thread::start);
        drawing.add(new Lanes(order, draws, threads, numbers));
    }

    private void stop() throws InterruptedException {
        drawing.forEach(lanes -> lanes.threads().forEach(LaneThread::stopSoon));
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
