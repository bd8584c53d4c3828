// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.SequenceException;
import dev.seriatim.cli.draw.NextCommand;
import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.cli.terminal.OneLine;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Reports a failed command in one line; with {@code --verbose}, also its stack trace. */
final class FailureLine implements IExecutionExceptionHandler {

    private final SeriatimCommand root;
    private final TypedUrls urls;

    FailureLine(SeriatimCommand root, TypedUrls urls) {
        this.root = root;
        this.urls = urls;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine commandLine, ParseResult parsed) {
        return report(failure, commandLine);
    }

    int report(Throwable failure, CommandLine commandLine) {
        commandLine.getOut().flush(); // drawn values come before the error
        commandLine.getErr().println("seriatim: " + OneLine.message(urls.scrub(said(failure))));
        if (root.verbose()) {
            urls.printStackTrace(failure, commandLine.getErr());
        }
        return ExitCode.FAILED;
    }

    private String said(Throwable failure) {
        if (failure instanceof SequenceException || failure instanceof NextCommand.DrewLess) {
            return String.valueOf(failure.getMessage());
        }
        return "unexpected: " + failure + (root.verbose() ? "" : "; add --verbose for a stack trace");
    }
}
