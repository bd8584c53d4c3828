// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.bench.load.Iteration;
import dev.seriatim.bench.load.Measured;
import dev.seriatim.bench.load.MeasuredBytes;
import dev.seriatim.bench.load.Pause;
import dev.seriatim.bench.load.Site;
import dev.seriatim.cli.option.StopSignal;
import dev.seriatim.store.ImmediateStore;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * A second process of the same program, which draws from the same sequence at the same time. Its input, including the store's
 * URL with its secrets, goes through a pipe. Used by one thread.
 */
final class SecondProcess implements AutoCloseable {

    private static final long LONGEST_GOODBYE_SECONDS = 5;

    /** Keeps drivers from logging. */
    private static final List<String> INHERITED =
            List.of("slf4j.provider", "slf4j.internal.verbosity", "java.util.logging.config.class");

    private final Process process;
    private final DataOutputStream to;
    private final DataInputStream from;

    private SecondProcess(Process process) {
        this.process = process;
        to = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
        from = new DataInputStream(new java.io.BufferedInputStream(process.getInputStream()));
    }

    /** Returns why two processes cannot share a store; empty if they can. */
    static Optional<String> missingFrom(Site site) {
        return site.store() instanceof ImmediateStore
                ? Optional.of("its counters are in the memory of one process")
                : Optional.empty();
    }

    /** Runs a plan in this process and in a second one at the same time. */
    static Measured measure(Site site, String sequence, RunPlan plan, StopSignal stop, LongConsumer begun) {
        SimulatedWork work = new SimulatedWork(plan.appLatencyNanos(), new Pause(stop));
        try (Stage stage = new Stage(site, sequence, plan, work, false)) {
            Iteration iteration = plan.mode().iteration(stage);
            try (SecondProcess other = start()) {
                other.prepare(site, sequence, plan);
                Measured ours = plan.workload().run(plan.threads(), plan.mode().ordered(), iteration, stop, begun);
                return stop.isSet() ? ours : ours.and(other.measured());
            } catch (IOException e) {
                throw new Unavailable("the second process of the benchmark ended early (" + e + ")", e);
            }
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
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Partner.class.getName()));
        return new SecondProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Starts the process; when this returns, it is drawing. */
    private void prepare(Site site, String sequence, RunPlan plan) throws IOException {
        to.writeUTF(site.url());
        to.writeUTF(sequence);
        PlanText.write(plan, to);
        to.flush();
        expect(Partner.READY);
        to.writeUTF(Partner.GO);
        to.flush();
    }

    private Measured measured() throws IOException {
        expect(Partner.DONE);
        return MeasuredBytes.read(from);
    }

    private void expect(String word) throws IOException {
        String answer = from.readUTF();
        if (!answer.equals(word)) {
            throw new Unavailable("the second process of the benchmark: " + answer, null);
        }
    }

    /** The process ends by itself when its input ends. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(LONGEST_GOODBYE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
