// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.Iteration;
import dev.seriatim.bench.load.Measured;
import dev.seriatim.bench.load.MeasuredBytes;
import dev.seriatim.bench.load.Pause;
import dev.seriatim.bench.load.Site;
import dev.seriatim.cli.option.StopSignal;
import dev.seriatim.cli.option.StoreOption;
import dev.seriatim.store.OpenStore;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** The program of a {@link SecondProcess}: reads a plan, runs it, and writes what it measured. */
public final class Partner {

    static final String READY = "ready";
    static final String GO = "go";
    static final String DONE = "done";

    private Partner() {}

    /**
     * Takes part in a benchmark.
     *
     * @param arguments none
     * @throws IOException if the first process has ended
     */
    public static void main(String[] arguments) throws IOException {
        DataInputStream from = new DataInputStream(new BufferedInputStream(System.in));
        DataOutputStream to = new DataOutputStream(new BufferedOutputStream(System.out));
        String url = from.readUTF();
        String sequence = from.readUTF();
        RunPlan plan = PlanText.read(from);
        try (OpenStore store = StoreOption.open(url)) {
            MeasuredBytes.write(takePart(Site.of(store, url, null), sequence, plan, from, to), to);
        } catch (RuntimeException e) {
            to.writeUTF(e.getMessage() == null ? e.toString() : e.getMessage());
        }
        to.flush();
    }

    private static Measured takePart(
            Site site, String sequence, RunPlan plan, DataInputStream from, DataOutputStream to) throws IOException {
        StopSignal stop = new StopSignal();
        SimulatedWork work = new SimulatedWork(plan.appLatencyNanos(), new Pause(stop));
        try (Stage stage = new Stage(site, sequence, plan, work, true)) {
            Iteration iteration = plan.mode().iteration(stage);
            to.writeUTF(READY);
            to.flush();
            from.readUTF();
            stopAtTheEndOf(from, stop);
            Measured measured =
                    plan.workload().run(plan.threads(), plan.mode().ordered(), iteration, stop, begun -> {});
            to.writeUTF(DONE);
            return measured;
        }
    }

    /** There is no reader left once the first process has ended. */
    private static void stopAtTheEndOf(DataInputStream from, StopSignal stop) {
        Thread listener = new Thread(
                () -> {
                    try {
                        while (from.read() >= 0) {
                            // The first process shows the progress.
                        }
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
