// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.cli.terminal.Closest;
import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.cli.terminal.OneLine;
import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports a wrong command line in one line that names the mistake and the help. */
final class UsageLine implements IParameterExceptionHandler {

    /** In picocli's message for a value that is no KEY=VALUE, which does not show the option. */
    private static final String NO_PAIR = " should be in KEY=VALUE";

    private final SeriatimCommand root;
    private final TypedUrls urls;

    UsageLine(SeriatimCommand root, TypedUrls urls) {
        this.root = root;
        this.urls = urls;
    }

    @Override
    public int handleParseException(ParameterException wrong, String[] args) {
        CommandLine commandLine = wrong.getCommandLine();
        String what = wrong instanceof UnmatchedArgumentException unmatched ? unknown(unmatched) : said(wrong);
        commandLine.getOut().flush();
        commandLine
                .getErr()
                .println("seriatim: " + OneLine.message(urls.scrub(what)) + "; see '"
                        + commandLine.getCommandSpec().qualifiedName() + " --help'");
        if (root.verbose()) {
            urls.printStackTrace(wrong, commandLine.getErr());
        }
        return ExitCode.WRONG_USAGE;
    }

    private static String unknown(UnmatchedArgumentException unmatched) {
        CommandSpec command = unmatched.getCommandLine().getCommandSpec();
        String first = unmatched.getUnmatched().get(0);
        if (unmatched.isUnknownOption()) {
            return "unknown option '" + first + "'"
                    + meant(first.split("=", 2)[0], command.optionsMap().keySet());
        }
        return command.parent() == null
                ? "unknown command '" + first + "'"
                        + meant(first, command.subcommands().keySet())
                : "unexpected argument '" + first + "'";
    }

    private static String meant(String typed, Collection<String> known) {
        return Closest.to(typed, known)
                .map(word -> ", did you mean '" + word + "'?")
                .orElse("");
    }

    private static String said(ParameterException wrong) {
        if (wrong.getValue() != null && wrong.getArgSpec() instanceof OptionSpec option) {
            Object[] choices = option.auxiliaryTypes()[0].getEnumConstants();
            if (choices != null && option.converters().length == 0) { // a converter of its own says more
                return option.longestName() + " is one of "
                        + Arrays.stream(choices).map(Object::toString).collect(Collectors.joining(", ")) + ", not '"
                        + wrong.getValue() + "'";
            }
        }
        String message = String.valueOf(wrong.getMessage());
        if (message.contains(NO_PAIR) && wrong.getArgSpec() instanceof OptionSpec option) {
            return option.longestName() + ": '" + wrong.getValue() + "' is not of the form " + option.paramLabel();
        }
        return Character.toLowerCase(message.charAt(0)) + message.substring(1);
    }
}
