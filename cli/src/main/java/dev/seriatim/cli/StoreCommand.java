// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.store.OpenStore;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that works on a store: opens it, does its work, closes it. Not thread-safe. */
abstract class StoreCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli's to set
    private CommandSpec spec;

    @Mixin
    private final StoreOption storeOption = new StoreOption();

    /** Refuses options that do not go together, before the store is opened. */
    void check() {}

    abstract void run(OpenStore store);

    @Override
    public final Integer call() {
        check();
        try (OpenStore store = storeOption.open()) {
            run(store);
        }
        return Main.DONE;
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    final ParameterException usage(String what) {
        return new ParameterException(spec.commandLine(), what);
    }
}
