// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.SequenceException;
import dev.seriatim.cli.draw.NextCommand;
import dev.seriatim.cli.option.StoreOption;
import dev.seriatim.cli.terminal.Closest;
import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.store.StoreUrl;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Reports a wrong command line or a failed command in one line; with {@code --verbose}, also the stack trace. Removes the
 * secrets of the store URLs on the command line, valid or not, and in the environment, also from messages of drivers.
 */
final class ErrorLine implements IParameterExceptionHandler, IExecutionExceptionHandler {

    /** Commands of other jars, and the jar of each. */
    private static final Map<String, String> IN_OTHER_JARS =
            Map.of("advise", "bench", "bench", "bench", "doctor", "doctor", "verify", "verify");

    /** In picocli's message for a value that is no KEY=VALUE, which does not show the option. */
    private static final String NO_PAIR = " should be in KEY=VALUE";

    private static final String STORE = "--store";
    private static final Pattern URL = Pattern.compile(
            "(?is)(?:--[\\w-]+=)?\\s*((?:jdbc|sqlite|memory|spanner|couchbases?|postgres(?:ql)?|mariadb|mysql|h2):.*|[^=]*(?:://|:.*@).*)");

    private final SeriatimCommand root;
    private final List<String> urls = new ArrayList<>();

    ErrorLine(SeriatimCommand root, String[] args) {
        this.root = root;
        String before = "";
        for (String arg : args) {
            Matcher url = URL.matcher(arg);
            if (url.matches()) {
                urls.add(url.group(1));
            } else if (before.equals(STORE)) {
                urls.add(arg);
            } else if (arg.startsWith(STORE + "=")) {
                urls.add(arg.substring(STORE.length() + 1));
            }
            before = arg;
        }
        urls.add(root.env().getOrDefault(StoreOption.VARIABLE, ""));
        urls.removeIf(String::isBlank);
    }

    @Override
    public int handleParseException(ParameterException wrong, String[] args) {
        CommandLine command = wrong.getCommandLine();
        String what = wrong instanceof UnmatchedArgumentException unmatched ? unknown(unmatched) : said(wrong, args);
        print(what, "; see '" + command.getCommandSpec().qualifiedName() + " --help'", wrong, command);
        return ExitCode.WRONG_USAGE;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        return report(failure, command);
    }

    int report(Throwable failure, CommandLine command) {
        boolean explained = failure instanceof SequenceException || failure instanceof NextCommand.DrewLess;
        String hint = explained || root.verbose() ? "" : "; add --verbose for a stack trace";
        print(explained ? String.valueOf(failure.getMessage()) : "unexpected: " + failure, hint, failure, command);
        return ExitCode.FAILED;
    }

    private void print(String what, String hint, Throwable failure, CommandLine command) {
        command.getOut().flush(); // drawn values come before the error
        command.getErr().println("seriatim: " + OneLine.message(scrub(what)) + hint);
        if (root.verbose()) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace, true));
            command.getErr().print(scrub(trace.toString()));
            command.getErr().flush();
        }
    }

    private String scrub(String text) {
        String scrubbed = text;
        for (String url : urls) {
            scrubbed = StoreUrl.scrub(url, scrubbed);
        }
        return scrubbed;
    }

    private static String unknown(UnmatchedArgumentException unmatched) {
        CommandSpec command = unmatched.getCommandLine().getCommandSpec();
        String first = unmatched.getUnmatched().get(0);
        if (unmatched.isUnknownOption()) {
            return "unknown option '" + first + "'"
                    + meant(first.split("=", 2)[0], command.optionsMap().keySet());
        }
        if (command.parent() != null && command.subcommands().isEmpty()) {
            return "unexpected argument '" + first + "'";
        }
        String jar = command.parent() == null ? IN_OTHER_JARS.get(first) : null;
        return jar == null
                ? "unknown command '" + first + "'"
                        + meant(first, command.subcommands().keySet())
                : "'%s' needs seriatim-%s.jar; add the jars of tools/target/lib to the class path"
                        .formatted(first, jar);
    }

    private static String meant(String typed, Collection<String> known) {
        return Closest.to(typed, known)
                .map(word -> ", did you mean '" + word + "'?")
                .orElse("");
    }

    private static String said(ParameterException wrong, String[] args) {
        String message = String.valueOf(wrong.getMessage());
        if (wrong.getArgSpec() instanceof OptionSpec option) {
            Object[] choices = option.auxiliaryTypes()[0].getEnumConstants();
            if (choices != null && wrong.getValue() != null && option.converters().length == 0) {
                return option.longestName() + " is one of "
                        + Arrays.stream(choices).map(Object::toString).collect(Collectors.joining(", ")) + ", not '"
                        + wrong.getValue() + "'";
            }
            if (message.contains(NO_PAIR)) {
                return typed(option, args) + ": '" + wrong.getValue() + "' is not of the form " + option.paramLabel();
            }
            message = message.replace("'" + option.longestName() + "'", "'" + typed(option, args) + "'");
        }
        return Character.toLowerCase(message.charAt(0)) + message.substring(1);
    }

    /** Returns the name that was typed of those that an option has. */
    private static String typed(OptionSpec option, String[] args) {
        return Arrays.stream(option.names())
                .filter(name -> Arrays.stream(args).anyMatch(arg -> arg.startsWith(name)))
                .findFirst()
                .orElse(option.longestName());
    }
}
