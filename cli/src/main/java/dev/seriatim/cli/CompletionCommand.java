// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.terminal.ExitCode;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints a script for tab completion. */
@Command(
        name = "completion",
        description = "Prints a script with which bash and zsh complete commands and options on Tab.",
        footer = {
            "",
            "It completes the commands 'seriatim' and './seriatim'. In bash, or in zsh after",
            "compinit, try it with",
            "",
            "  source <(./seriatim completion)",
            "",
            "and keep it with",
            "",
            "  ./seriatim completion > ~/.seriatim-completion",
            "  echo 'source ~/.seriatim-completion' >> ~/.bashrc",
            "",
            "Example: seriatim completion > seriatim-completion.bash"
        })
final class CompletionCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        CommandLine all = CommandList.all(new SeriatimCommand(Map.of()));
        PrintWriter out = spec.commandLine().getOut();
        out.print(AutoComplete.bash(spec.root().name(), all));
        return ExitCode.DONE;
    }
}
