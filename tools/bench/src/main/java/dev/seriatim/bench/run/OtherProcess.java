// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.bench.load.Iteration;
import dev.seriatim.bench.load.Measured;
import dev.seriatim.bench.load.Pause;
import dev.seriatim.bench.load.Site;
import dev.seriatim.bench.load.Workload;
import dev.seriatim.cli.option.StopSignal;
import dev.seriatim.cli.option.StoreOption;
import dev.seriatim.store.OpenStore;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * A second process of the same program, which draws from the same sequence at the same time. They exchange objects through pipes:
 *
 * <ol>
 *   <li>The first process writes the {@link Order}, which holds the store's URL with its secrets.
 *   <li>The second opens the store, and is {@link Signal#READY}.
 *   <li>At {@link Signal#GO}, both draw.
 *   <li>The second writes what it {@link Measured}.
 * </ol>
 *
 * <p>If the second fails, it writes a message instead. It ends when its input ends. Used by one thread.
 */
final class SecondProcess implements AutoCloseable {

    private static final long LONGEST_GOODBYE_SECONDS = 5;

    /** Keeps drivers from logging. */
    private static final List<String> INHERITED =
            List.of("slf4j.provider", "slf4j.internal.verbosity", "java.util.logging.config.class");

    private enum Signal {
        READY,
        GO
    }

    /** A run without rows. */
    private record Order(
            String url,
            String sequence,
            String mode,
            int threads,
            long batchSize,
            long lowWaterMark,
            Duration appLatency,
            Workload workload)
            implements Serializable {

        RunPlan plan() {
            Contender contender = new Contender.Named().convert(mode);
            return new RunPlan(contender, threads, batchSize, lowWaterMark, appLatency, workload, Setting.PLAIN);
        }
    }

    private final Process process;
    private final ObjectOutputStream to;
    private final ObjectInputStream from;

    private SecondProcess(Process process) throws IOException {
        this.process = process;
        to = new ObjectOutputStream(process.getOutputStream());
        from = new ObjectInputStream(process.getInputStream());
    }

    /** Runs a plan in this process and in a second one at the same time. */
    static Measured measure(Stage stage, StopSignal stop, LongConsumer begun) {
        Iteration iteration = stage.iteration();
        try (SecondProcess other = start()) {
            RunPlan plan = stage.plan();
            Order order = new Order(
                    stage.site().url(),
                    stage.sequence(),
                    plan.mode().name(),
                    plan.threads(),
                    plan.batchSize(),
                    plan.lowWaterMark(),
                    plan.appLatency(),
                    plan.workload());
            write(other.to, order);
            other.read(Signal.class);
            write(other.to, Signal.GO);
            Measured ours = stage.run(iteration, stop, begun);
            return stop.isSet() ? ours : ours.and(other.read(Measured.class));
        } catch (IOException | ClassNotFoundException e) {
            throw new Unavailable("second process failed (" + e + ")", e);
        }
    }

    private static SecondProcess start() throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> command = new ArrayList<>(List.of(java.toString()));
        for (String property : INHERITED) {
            String value = System.getProperty(property);
            if (value != null) {
                command.add("-D" + property + "=" + value);
            }
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), SecondProcess.class.getName()));
        return new SecondProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    private <T> T read(Class<T> type) throws IOException, ClassNotFoundException {
        Object answer = from.readObject();
        if (type.isInstance(answer)) {
            return type.cast(answer);
        }
        throw new Unavailable("second process: " + answer, null);
    }

    private static void write(ObjectOutputStream to, Object message) throws IOException {
        to.writeObject(message);
        to.flush();
    }

    @Override
    public void close() {
        try {
            to.close();
            process.waitFor(LONGEST_GOODBYE_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            // It has ended.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }

    /** Is the second process. */
    public static void main(String[] arguments) throws IOException, ClassNotFoundException {
        ObjectOutputStream to = new ObjectOutputStream(System.out);
        to.flush(); // the other process waits for the header
        ObjectInputStream from = new ObjectInputStream(System.in);
        Order order = (Order) from.readObject();
        try (OpenStore store = StoreOption.open(order.url)) {
            write(to, takePart(Site.of(store, order.url), order, from, to));
        } catch (RuntimeException e) {
            write(to, e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    private static Measured takePart(Site site, Order order, ObjectInputStream from, ObjectOutputStream to)
            throws IOException, ClassNotFoundException {
        StopSignal stop = new StopSignal();
        ClientWork work = new ClientWork(null, false, order.appLatency.toNanos(), new Pause(stop));
        try (Stage stage = Stage.of(site, order.sequence, order.plan(), work, true)) {
            Iteration iteration = stage.iteration();
            write(to, Signal.READY);
            from.readObject();
            stopAtTheEndOf(from, stop);
            return stage.run(iteration, stop, begun -> {});
        }
    }

    /** There is no reader left once the first process has ended. */
    private static void stopAtTheEndOf(ObjectInputStream from, StopSignal stop) {
        Thread listener = new Thread(
                () -> {
                    try {
                        from.read();
                    } catch (IOException e) {
                        // the same
                    }
                    stop.set();
                },
                "bench-listener");
        listener.setDaemon(true);
        listener.start();
    }
}
