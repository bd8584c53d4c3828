// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.verify.worker;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.jdbc.sql.BenchmarkedStore;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.lab.verify.worker.WorkerAccounts.Account;
import dev.seriatim.lab.verify.worker.WorkerAccounts.FailedDraws;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The program of a {@link WorkerProcess}. Each line of its input is an order, in words divided by tabs; it obeys one after another.
 *
 * <ul>
 *   <li>{@code open PATIENCE URL}: opens the store; tries for that many milliseconds if it is away
 *   <li>{@code draw} with a {@link LaneOrder}'s parts and a file for each lane's {@link DrawRing}: starts lanes
 *   <li>{@code stop}: stops all lanes and closes their sequences
 *   <li>{@code accounts}: answers with {@link WorkerAccounts}
 *   <li>{@code end}: stops, closes the store, and ends
 * </ul>
 *
 * <p>Each is answered by {@code done}, or {@code refused} with the reason. In between come {@code account} and {@code failed}, and at
 * any time {@code lasting}, a failure that needs attention, and {@code broken}, before an error of the program itself ends it. It also
 * ends, at once, when its input does.
 */
public final class WorkerProgram {

    static final String TAB = "\t";

    private static final int BROKEN = 3;
    private static final long PAUSE_MILLIS = 50;
    private static final int FIXED_WORDS = 12;

    private final Function<String, Optional<Generator>> generators;
    private final FileOutputStream out;
    private final BlockingQueue<String> orders = new LinkedBlockingQueue<>();
    private final List<WorkerLanes> drawing = new ArrayList<>();

    /** Those that have stopped, for the accounts. */
    private final Map<String, Account> stopped = new LinkedHashMap<>();

    private String url = "";
    private DrawFailures failures = new DrawFailures("", Optional.empty(), this::announce);
    private @Nullable OpenStore store;

    private WorkerProgram(Function<String, Optional<Generator>> generators, FileOutputStream out) {
        this.generators = generators;
        this.out = out;
    }

    /**
     * Draws in the modes of the library.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
        run(name -> Optional.empty());
    }

    /**
     * Draws in the modes of the library, and with other generators; ends the process.
     *
     * @param others the others by name
     */
    public static void run(Function<String, Optional<Generator>> others) {
        @SuppressWarnings("resource") // not System.out, which may write a line in several pieces
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        System.setOut(System.err); // whatever a driver prints is no answer
        WorkerProgram program = new WorkerProgram(
                name -> others.apply(name).or(() -> DrawMode.named(name).map(ModeDraws::new)), out);
        try {
            program.listen();
            program.obey();
            Runtime.getRuntime().halt(0); // nothing is left to do, and no hook is to cost time
        } catch (Throwable e) {
            program.breakDown(e);
        }
    }

    /** Reads orders on another thread: this one may be busy when the parent ends. */
    private void listen() {
        Thread listener = new Thread(
                () -> {
                    try (BufferedReader lines =
                            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                            orders.add(line);
                        }
                    } catch (IOException e) {
                        // the same as its end
                    }
                    Runtime.getRuntime().halt(0);
                },
                "worker-orders");
        listener.setDaemon(true);
        listener.start();
    }

    private void obey() throws InterruptedException {
        boolean on = true;
        while (on) {
            String[] words = orders.take().split(TAB, -1);
            try {
                on = obey(words);
                say("done", words[0]);
            } catch (RuntimeException e) {
                say("refused", words[0], DrawFailures.text(url, e));
            }
        }
    }

    /** Returns whether there is more to do. */
    private boolean obey(String[] words) throws InterruptedException {
        switch (words[0]) {
            case "open" -> open(words[2], Duration.ofMillis(Long.parseLong(words[1])));
            case "draw" -> draw(words);
            case "stop" -> stop();
            case "accounts" -> tellAccounts();
            case "end" -> {
                stop();
                if (store != null) {
                    store.close();
                }
                return false;
            }
            default -> throw new IllegalArgumentException("no order is called " + words[0]);
        }
        return true;
    }

    private void open(String text, Duration patience) throws InterruptedException {
        url = text;
        long end = System.nanoTime() + patience.toNanos();
        while (store == null) {
            try {
                store = StoreDriver.open(url);
                Optional<Dialect> dialect =
                        store instanceof BenchmarkedStore database ? Optional.of(database.dialect()) : Optional.empty();
                failures = new DrawFailures(url, dialect, this::announce);
            } catch (Unavailable e) {
                if (System.nanoTime() - end > 0) {
                    throw e;
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        }
    }

    private void draw(String[] words) {
        if (store == null) {
            throw new IllegalStateException("no store is open");
        }
        LaneOrder order = new LaneOrder(
                words[1],
                words[2],
                words[3],
                Integer.parseInt(words[4]),
                Integer.parseInt(words[5]),
                Integer.parseInt(words[6]),
                Long.parseLong(words[7]),
                new TurnShares(
                        Double.parseDouble(words[8]),
                        Double.parseDouble(words[9]),
                        Double.parseDouble(words[10]),
                        Double.parseDouble(words[11])));
        Generator generator = generators
                .apply(order.generator())
                .orElseThrow(() -> new IllegalArgumentException("no generator is called " + order.generator()));
        ReservedNumbers numbers = new ReservedNumbers();
        LaneDraws draws = generator.open(store, order, numbers);
        List<LaneThread> threads = new ArrayList<>();
        for (int i = 0; i < order.threads(); i++) {
            LaneLog log = new LaneLog(DrawRing.open(Path.of(words[FIXED_WORDS + i])));
            threads.add(new LaneThread(order, draws, log, failures, this::breakDown));
        }
        WorkerLanes lanes = new WorkerLanes(order, draws, threads, numbers);
        lanes.start();
        drawing.add(lanes);
    }

    static String draw(LaneOrder order, List<Path> rings) {
        List<String> words = new ArrayList<>(List.of(
                "draw",
                order.generator(),
                order.sequence(),
                order.ledger(),
                Integer.toString(order.threads()),
                Integer.toString(order.pace()),
                Integer.toString(order.numbers()),
                Long.toString(order.batchSize()),
                Double.toString(order.shares().rolledBack()),
                Double.toString(order.shares().several()),
                Double.toString(order.shares().local()),
                Double.toString(order.shares().reopened())));
        rings.forEach(ring -> words.add(ring.toString()));
        return String.join(TAB, words);
    }

    private void stop() throws InterruptedException {
        drawing.forEach(WorkerLanes::stopSoon);
        for (WorkerLanes lanes : drawing) {
            lanes.close();
            stopped.merge(lanes.order().generator(), lanes.account(), WorkerProgram::sum);
        }
        drawing.clear();
    }

    private static Account sum(Account one, Account other) {
        return new Account(
                one.reserved() + other.reserved(),
                one.dealt() + other.dealt(),
                one.lost() + other.lost(),
                one.givenBack() + other.givenBack(),
                one.unknown() + other.unknown());
    }

    private void tellAccounts() {
        Map<String, Account> all = new LinkedHashMap<>(stopped);
        drawing.forEach(lanes -> all.merge(lanes.order().generator(), lanes.account(), WorkerProgram::sum));
        all.forEach((generator, account) -> say(
                "account",
                generator,
                Long.toString(account.reserved()),
                Long.toString(account.dealt()),
                Long.toString(account.lost()),
                Long.toString(account.givenBack()),
                Long.toString(account.unknown())));
        failures.all().forEach(failed -> tell("failed", failed));
    }

    private void announce(FailedDraws failed) {
        tell("lasting", failed);
    }

    private void tell(String word, FailedDraws failed) {
        say(
                word,
                failed.generator(),
                Long.toString(failed.count()),
                Boolean.toString(failed.lasting()),
                failed.reason());
    }

    private synchronized void say(String... words) {
        try {
            out.write((String.join(TAB, words) + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            Runtime.getRuntime().halt(0); // the parent has ended
        }
    }

    private void breakDown(Throwable e) {
        say("broken", DrawFailures.text(url, e));
        Runtime.getRuntime().halt(BROKEN);
    }
}
