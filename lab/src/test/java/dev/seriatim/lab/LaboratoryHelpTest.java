// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.cli.HelpCheck;
import org.junit.jupiter.api.Test;

class LaboratoryHelpTest {

    @Test
    void the_help_of_every_command_names_every_store_and_fits_on_a_terminal() {
        assertThat(HelpCheck.all())
                .contains(
                        "seriatim next",
                        "seriatim advise",
                        "seriatim bench",
                        "seriatim bench compare",
                        "seriatim doctor");
    }
}
