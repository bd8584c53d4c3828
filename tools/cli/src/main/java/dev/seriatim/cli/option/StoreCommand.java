// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.store.OpenStore;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that opens a store, works on it, and closes it. Not thread-safe. */
public abstract class StoreCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin
    private final StoreOption storeOption = new StoreOption();

    private int exitCode = ExitCode.DONE;

    /** Refuses options that do not go together; called before the store is opened. */
    protected void check() {}

    /** Does the work; the store is closed afterwards. */
    protected abstract void run(OpenStore store);

    @Override
    public final Integer call() {
        check();
        try (OpenStore store = StoreOption.open(url())) {
            run(store);
        }
        return exitCode;
    }

    /** Returns the store's URL, which may hold secrets. */
    protected String url() {
        return storeOption.url();
    }

    /** Sets the exit code of a command that found a fault. */
    protected final void endWith(int code) {
        exitCode = code;
    }

    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    protected final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Throws if there is an error in the options. */
    protected final void refuse(String wrong) {
        if (!wrong.isEmpty()) {
            throw usage(wrong);
        }
    }

    /** Returns the exception for a wrong command line. */
    protected final ParameterException usage(String what) {
        return new ParameterException(spec.commandLine(), what);
    }
}
