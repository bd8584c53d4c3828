// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.bench.load.Iteration;
import dev.seriatim.bench.load.Measured;
import dev.seriatim.bench.load.Pause;
import dev.seriatim.bench.load.ScratchSequence;
import dev.seriatim.bench.load.Site;
import dev.seriatim.bench.load.Workload;
import dev.seriatim.cli.option.Interruption;
import dev.seriatim.cli.option.StoreOption;
import dev.seriatim.store.OpenStore;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Another process of the same program, which draws from the same sequence at the same time. It and the first process exchange objects
 * through pipes:
 *
 * <ol>
 *   <li>The first process writes the {@link Order}, which holds the store's URL with its secrets.
 *   <li>The other opens the store, and is {@link Signal#READY}.
 *   <li>At {@link Signal#GO}, all draw.
 *   <li>The other writes what it {@link Measured}.
 * </ol>
 *
 * <p>If the other fails, it writes a message instead. It stops when its input ends. Used by one thread.
 */
final class OtherProcess {

    private static final long LONGEST_GOODBYE_SECONDS = 5;

    /** Keeps drivers from logging. */
    private static final List<String> INHERITED =
            List.of("slf4j.provider", "slf4j.internal.verbosity", "java.util.logging.config.class");

    /** Options of this JVM by which it starts faster, or without warnings. */
    private static final String KEPT = "(-XX:(SharedArchiveFile|AOTCache)=|--(enable|sun-misc)-|-Dorg.sqlite.lib).*";

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

    private final int number;
    private final Process process;
    private final ObjectOutputStream to;
    private @Nullable ObjectInputStream from;

    private OtherProcess(int number, Process process, Order order) throws IOException {
        this.number = number;
        this.process = process;
        to = new ObjectOutputStream(process.getOutputStream());
        send(order);
    }

    /** Runs a plan in this process and in the others at the same time. */
    static Measured measure(Stage stage, AtomicBoolean stop, LongConsumer begun) {
        Iteration iteration = stage.iteration();
        RunPlan plan = stage.plan();
        int processes = plan.setting().processes();
        Order order = new Order(
                stage.site().urlFor(processes),
                stage.sequence(),
                plan.mode().name(),
                plan.threads(),
                plan.batchSize(),
                plan.lowWaterMark(),
                plan.appLatency(),
                plan.workload());
        List<OtherProcess> others = new ArrayList<>();
        try {
            for (int number = 2; number <= processes; number++) {
                others.add(new OtherProcess(number, start(processes), order));
            }
            for (OtherProcess other : others) {
                other.read(Signal.class);
            }
            for (OtherProcess other : others) {
                other.send(Signal.GO);
            }
            AtomicBoolean early = new AtomicBoolean();
            Measured measured = stage.run(iteration, early, count -> {
                begun.accept(count);
                if (stop.get()
                        || others.stream().map(o -> o.process).anyMatch(p -> !p.isAlive() && p.exitValue() > 0)) {
                    early.set(true);
                    others.forEach(OtherProcess::hangUp);
                }
            });
            for (OtherProcess other : others) {
                measured = measured.and(other.read(Measured.class));
            }
            return measured;
        } catch (IOException | ClassNotFoundException e) {
            throw new Unavailable("another process failed (" + e + ")", e);
        } finally {
            others.forEach(OtherProcess::hangUp);
            others.forEach(OtherProcess::end);
        }
    }

    private static Process start(int processes) throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> command = new ArrayList<>(List.of(java.toString(), "-Xlog:disable", "-Xlog:all=error:stderr"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.matches(KEPT))
                .forEach(command::add);
        command.add("-Xmx" + Math.max(64, (Runtime.getRuntime().maxMemory() / processes) >> 20) + "m");
        command.add("-XX:TieredStopAtLevel=" + (processes > Runtime.getRuntime().availableProcessors() ? 1 : 4));
        command.add("-XX:+UseSerialGC");
        INHERITED.stream()
                .filter(name -> System.getProperty(name) != null)
                .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), OtherProcess.class.getName()));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private <T> T read(Class<T> type) throws IOException, ClassNotFoundException {
        Object answer;
        try {
            ObjectInputStream in = from == null ? new ObjectInputStream(process.getInputStream()) : from;
            from = in;
            answer = in.readObject();
        } catch (EOFException e) {
            answer = "it ended with exit code " + process.onExit().join().exitValue() + "; use fewer --processes";
        }
        if (type.isInstance(answer)) {
            return type.cast(answer);
        }
        throw new Unavailable("process " + number + ": " + answer, null);
    }

    private void send(Object message) {
        try {
            write(to, message);
        } catch (IOException e) {
            // It has ended; the next read says why.
        }
    }

    private static void write(ObjectOutputStream to, Object message) throws IOException {
        to.writeObject(message);
        to.flush();
    }

    private void hangUp() {
        try {
            to.close();
        } catch (IOException e) {
            // It has ended.
        }
    }

    private void end() {
        process.onExit()
                .completeOnTimeout(process, LONGEST_GOODBYE_SECONDS, TimeUnit.SECONDS)
                .join();
        process.destroyForcibly();
    }

    @SuppressWarnings("try") // closing the interruption is its only use
    public static void main(String[] arguments) throws IOException, ClassNotFoundException {
        ObjectOutputStream to = new ObjectOutputStream(System.out);
        ObjectInputStream from = new ObjectInputStream(System.in);
        Order order = (Order) from.readObject();
        AtomicBoolean stop = new AtomicBoolean();
        try (Interruption interruption = new Interruption(stop, ScratchSequence.PREFIX);
                OpenStore store = StoreOption.open(order.url)) {
            write(to, takePart(Site.of(store, order.url), order, from, to, stop));
        } catch (EOFException e) {
            // The first process has ended.
        } catch (RuntimeException | Error e) {
            write(to, e.getMessage() == null ? e.toString() : e.getMessage());
            System.exit(1);
        }
    }

    private static Measured takePart(
            Site site, Order order, ObjectInputStream from, ObjectOutputStream to, AtomicBoolean stop)
            throws IOException, ClassNotFoundException {
        site.store().describe(order.sequence); // an in-memory database is another one here
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
    private static void stopAtTheEndOf(ObjectInputStream from, AtomicBoolean stop) {
        Thread listener = new Thread(
                () -> {
                    try {
                        from.read();
                    } catch (IOException e) {
                        // the same
                    }
                    stop.set(true);
                },
                "bench-listener");
        listener.setDaemon(true);
        listener.start();
    }
}
