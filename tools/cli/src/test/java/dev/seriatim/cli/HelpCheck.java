// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Checks the help of every command on the class path. */
public final class HelpCheck {

    private static final int WIDTH = 80;
    private static final int ENDLESS = 10_000;
    private static final List<String> STORES =
            List.of("sqlite:", "jdbc:", "memory:", "spanner:", "couchbase:", "couchbases:");

    private HelpCheck() {}

    /**
     * Checks all helps, and returns the commands.
     *
     * @throws AssertionError if a help leaves out a store, has a line that is too long, or breaks a word or a line of an example
     */
    public static List<String> all() {
        CommandLine root = CommandList.all(new SeriatimCommand(Map.of()));
        List<String> names = new ArrayList<>();
        visit(root, names);
        return names;
    }

    private static void visit(CommandLine commandLine, List<String> names) {
        CommandSpec spec = commandLine.getCommandSpec();
        names.add(spec.qualifiedName());
        check(spec.qualifiedName(), commandLine);
        commandLine.getSubcommands().values().forEach(command -> visit(command, names));
    }

    /** Checks the help of one command. */
    static void check(String name, CommandLine commandLine) {
        CommandSpec spec = commandLine.getCommandSpec();
        String help = commandLine.getUsageMessage();
        assertThat(help.lines()).as(name).allMatch(line -> line.length() <= WIDTH);
        OptionSpec store = spec.findOption("--store");
        if (store != null && !store.hidden()) { // hidden where it is accepted and not used
            assertThat(help).as(name).contains(STORES);
        }
        spec.usageMessage().width(ENDLESS);
        String unwrapped = commandLine.getUsageMessage();
        spec.usageMessage().width(WIDTH);
        assertThat(words(help)).as(name).isEqualTo(words(unwrapped));
        String footer = String.join("\n", spec.usageMessage().footer()).replace("%%", "%");
        assertThat(help.lines()).as(name).containsAll(footer.lines().toList());
    }

    private static List<String> words(String help) {
        return Arrays.asList(help.strip().split("\\s+"));
    }
}
