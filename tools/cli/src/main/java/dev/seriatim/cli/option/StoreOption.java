// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import dev.seriatim.jdbc.JdbcUrl;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option {@code --store}, before or after the command, of every command that needs a store. Not thread-safe. */
public final class StoreOption {

    /** What knows the environment variables; the root command, if the command has one. */
    @FunctionalInterface
    public interface Environment {
        Map<String, String> env();
    }

    /** The environment variable that names the store. */
    public static final String VARIABLE = "SERIATIM_STORE";

    private static final String DEFAULT = "sqlite:seriatim.db";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Option(names = "--store", paramLabel = "URL", description = """
                    The store: a URL that begins with sqlite:, jdbc:, spanner:, couchbase:, couchbases: or memory:; 'seriatim --help' explains them.
                    Default: the environment variable SERIATIM_STORE, else sqlite:seriatim.db in the working directory.
                    Other users can see command lines: put a URL with a password into SERIATIM_STORE.""")
    private @Nullable String url;

    /** Opens the store of a URL, a database over a connection pool; the caller closes it. */
    public static OpenStore open(String url) {
        return url.startsWith("jdbc:") ? JdbcUrl.parse(url).open(ConnectionPool::of) : StoreDriver.open(url);
    }

    /** Returns the requested URL, which may hold secrets. */
    public String url() {
        Map<String, String> env =
                command.root().userObject() instanceof Environment known ? known.env() : System.getenv();
        OptionSpec before = command.root().findOption("--store");
        String given = url != null || before == null ? url : before.getValue();
        String asked = (given != null ? given : env.getOrDefault(VARIABLE, DEFAULT)).strip();
        if (asked.isEmpty() || asked.matches("(?s)[\"'“‘].*")) {
            String where = given != null ? "--store" : "the variable " + VARIABLE;
            throw new ParameterException(command.commandLine(), """
                    %s needs a URL such as sqlite:FILE, neither empty nor in quotation marks""".formatted(where));
        }
        return asked;
    }
}
