// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import com.google.gson.Gson;
import dev.seriatim.Block;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.SequenceListener;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.verify.worker.WorkerAccounts.Account;
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

    private final Function<String, Optional<LaneDraws.Generator>> generators;
    private final FileOutputStream out;
    private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();
    private final List<Lanes> drawing = new ArrayList<>();
    private final Map<String, Account> stopped = new LinkedHashMap<>();

    private String url = "";
    private DrawFailures failures = new DrawFailures("", Optional.empty(), this::reportLasting);
    private @Nullable OpenStore store;

    enum Task {
        /** Opens the store of the URL, within the patience. */
        OPEN,
        /** Starts lanes, with a file for the ring of each. */
        DRAW,
        /** Stops all lanes and closes their sequences. */
        STOP,
        /** Reports the accounts. */
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
     * A report of a worker.
     *
     * @param text the reason why an order was refused, or the error that ends the program
     */
    record Report(
            Kind kind,
            String text,
            WorkerAccounts accounts,
            @Nullable FailedDraws failed) {
        enum Kind {
            DONE,
            REFUSED,
            /** A failure that an unavailable server does not explain; at any time. */
            LASTING,
            /** An error of the program itself, which ends it. */
            BROKEN
        }
    }

    /** The lanes of one order. */
    private record Lanes(LaneOrder order, LaneDraws draws, List<LaneThread> threads, ReservedNumbers numbers) {

        void close() throws InterruptedException {
            for (LaneThread thread : threads) {
                thread.join();
            }
            draws.close();
        }

        Account account() {
            return numbers.account(
                    threads.stream().mapToLong(thread -> thread.log().dealt()).sum());
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

        Account account(long dealt) {
            return new Account(reserved.sum(), dealt, lost.sum(), givenBack.sum(), unknown.sum());
        }
    }

    private WorkerProgram(Function<String, Optional<LaneDraws.Generator>> generators, FileOutputStream out) {
        this.generators = generators;
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
        WorkerProgram program = new WorkerProgram(
                name -> others.apply(name).or(() -> DrawMode.named(name).map(ModeDraws::new)), out);
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
            try {
                WorkerAccounts accounts = carryOut(orders.take());
                report(new Report(Report.Kind.DONE, "", accounts, null));
            } catch (RuntimeException e) {
                report(new Report(Report.Kind.REFUSED, DrawFailures.text(url, e), WorkerAccounts.NONE, null));
            }
        }
    }

    private WorkerAccounts carryOut(Order order) throws InterruptedException {
        switch (order.task()) {
            case OPEN -> open(order.url(), Duration.ofMillis(order.patienceMillis()));
            case DRAW -> draw(order);
            case STOP -> stop();
            case ACCOUNTS -> {}
        }
        return order.task() == Task.ACCOUNTS ? accounts() : WorkerAccounts.NONE;
    }

    private void open(String text, Duration patience) throws InterruptedException {
        url = text;
        long end = System.nanoTime() + patience.toNanos();
        while (store == null) {
            try {
                store = StoreDriver.open(url);
                Optional<Dialect> dialect =
                        store instanceof JdbcStore database ? Optional.of(database.dialect()) : Optional.empty();
                failures = new DrawFailures(url, dialect, this::reportLasting);
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
        if (store == null || order == null) {
            throw new IllegalStateException("no store is open");
        }
        LaneDraws.Generator generator = generators
                .apply(order.generator())
                .orElseThrow(() -> new IllegalArgumentException("no generator is called " + order.generator()));
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
            stopped.merge(lanes.order().generator(), lanes.account(), Account::plus);
        }
        drawing.clear();
    }

    private WorkerAccounts accounts() {
        Map<String, Account> all = new LinkedHashMap<>(stopped);
        drawing.forEach(lanes -> all.merge(lanes.order().generator(), lanes.account(), Account::plus));
        return new WorkerAccounts(all, failures.all());
    }

    private void reportLasting(FailedDraws failed) {
        report(new Report(Report.Kind.LASTING, "", WorkerAccounts.NONE, failed));
    }

    private synchronized void report(Report report) {
        try {
            out.write((JSON.toJson(report) + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            Runtime.getRuntime().halt(0); // the parent has ended
        }
    }

    private void breakDown(Throwable e) {
        report(new Report(Report.Kind.BROKEN, DrawFailures.text(url, e), WorkerAccounts.NONE, null));
        Runtime.getRuntime().halt(BROKEN);
    }
}
