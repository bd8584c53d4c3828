// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class HelpTest {

    @Command(
            name = "sound",
            footer = "A line of about seventy characters, which is as long as a line may be.",
            subcommands = CommandLine.HelpCommand.class)
    private static final class Sound {}

    @Command(
            name = "long",
            footer = {"A footer that is longer than a line of a terminal, which is why picocli breaks it."})
    private static final class LongFooter {}

    @Command(name = "broken")
    private static final class BrokenWord {

        @Option(
                names = "--option",
                description = "Such as seriatim.table.of.the.sequences.of.all.the.shops.in.town, a long name")
        @SuppressWarnings("unused")
        private String option = "";
    }

    @Command(name = "poor")
    private static final class PoorInStores {

        @Option(names = "--store", description = "sqlite:, jdbc:, memory: and others")
        @SuppressWarnings("unused")
        private String store = "";
    }

    @Test
    void the_help_of_every_command_names_every_store_and_fits_on_a_terminal() {
        assertThat(HelpCheck.all())
                .contains("seriatim", "seriatim next", "seriatim install")
                .hasSizeGreaterThan(11);
    }

    @Test
    void the_check_finds_faults() {
        HelpCheck.check("sound", new CommandLine(new Sound()));
        for (Object faulty : new Object[] {new LongFooter(), new BrokenWord(), new PoorInStores()}) {
            assertThatThrownBy(() -> HelpCheck.check("faulty", new CommandLine(faulty)))
                    .as(faulty.getClass().getSimpleName())
                    .isInstanceOf(AssertionError.class);
        }
    }
}
