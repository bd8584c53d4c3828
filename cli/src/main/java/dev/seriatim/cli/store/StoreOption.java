// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.store;

import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The option {@code --store}, before or after the command; mixed into every command that needs a store. Not thread-safe.
 */
public final class StoreOption {

    /** The environment variable that names the store. */
    public static final String VARIABLE = "SERIATIM_STORE";

    private static final String DEFAULT = "sqlite:seriatim.db";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli's to set
    private CommandSpec command;

    @Option(
            names = "--store",
            paramLabel = "URL",
            description = {
                "Where the sequences are; also from the environment variable SERIATIM_STORE.",
                "Default: sqlite:seriatim.db in the working directory.",
                "Who may list processes reads what is typed here: a URL with a password in it belongs into SERIATIM_STORE."
            })
    private @Nullable String url;

    /** Made by the command it is mixed into. */
    public StoreOption() {}

    /**
     * Opens the store that was asked for; the caller closes it.
     *
     * @throws dev.seriatim.SequenceException when it cannot be opened
     */
    public OpenStore open() {
        return open(url());
    }

    /**
     * Opens the store of any URL, as that of this option is opened.
     *
     * @throws dev.seriatim.SequenceException when it cannot be opened
     */
    public static OpenStore open(String url) {
        return url.startsWith("jdbc:") ? ConnectionPool.open(url) : StoreDriver.open(url);
    }

    /** The URL that was asked for, which may hold secrets. */
    public String url() {
        String asked = url != null ? url : beforeTheCommand();
        if (asked != null && asked.isBlank()) {
            throw new ParameterException(
                    command.commandLine(), "--store needs a URL such as sqlite:FILE, but is empty");
        }
        String fromEnvironment = env().getOrDefault(VARIABLE, "");
        return asked != null ? asked : fromEnvironment.isBlank() ? DEFAULT : fromEnvironment;
    }

    private @Nullable String beforeTheCommand() {
        OptionSpec option = command.root().findOption("--store");
        return option == null ? null : option.getValue();
    }

    private Map<String, String> env() {
        return command.root().userObject() instanceof StoreEnvironment known ? known.env() : System.getenv();
    }
}
