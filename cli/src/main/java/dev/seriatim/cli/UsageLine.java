// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Answers a wrong command line with one line that names what is wrong and where the help is. */
final class UsageLine implements IParameterExceptionHandler {

    private final SeriatimCommand root;

    UsageLine(SeriatimCommand root) {
        this.root = root;
    }

    @Override
    public int handleParseException(ParameterException wrong, String[] args) {
        CommandLine commandLine = wrong.getCommandLine();
        String what = wrong instanceof UnmatchedArgumentException unmatched ? unknown(unmatched) : said(wrong);
        commandLine.getOut().flush();
        commandLine
                .getErr()
                .println("seriatim: " + OneLine.message(what) + "; see '"
                        + commandLine.getCommandSpec().qualifiedName() + " --help'");
        if (root.verbose()) {
            wrong.printStackTrace(commandLine.getErr());
        }
        return Main.WRONG_USAGE;
    }

    private static String unknown(UnmatchedArgumentException unmatched) {
        String first = unmatched.getUnmatched().get(0);
        boolean atRoot = unmatched.getCommandLine().getParent() == null;
        String kind =
                unmatched.isUnknownOption() ? "unknown option" : atRoot ? "unknown command" : "unexpected argument";
        List<String> suggestions = unmatched.getSuggestions();
        boolean guess = !suggestions.isEmpty() && (atRoot || unmatched.isUnknownOption());
        return kind + " '" + first + "'" + (guess ? ", did you mean '" + suggestions.get(0) + "'?" : "");
    }

    private static String said(ParameterException wrong) {
        String message = String.valueOf(wrong.getMessage());
        return Character.toLowerCase(message.charAt(0)) + message.substring(1);
    }
}
