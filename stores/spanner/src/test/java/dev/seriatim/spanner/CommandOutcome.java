// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.ProgramRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The output and exit code of a command that ran in a separate process. */
record CommandOutcome(ProgramRun run) {

    /** Runs a command on a store. */
    static CommandOutcome of(String store, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--store", store));
        // Hides the credentials of the user who runs the tests.
        Map<String, String> environment =
                Map.of("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere/credentials.json", "SPANNER_EMULATOR_HOST", "");
        return new CommandOutcome(ProgramRun.of("dev.seriatim.cli.Main", environment, all));
    }

    int code() {
        return run.code();
    }

    String out() {
        return run.out();
    }

    String err() {
        return run.err();
    }

    Duration took() {
        return run.took();
    }

    CommandOutcome failed(String... said) {
        assertThat(code()).isEqualTo(1);
        assertThat(out()).isEmpty();
        assertThat(err()).startsWith("seriatim: ").hasLineCount(1).contains(said);
        return this;
    }

    CommandOutcome done(String printed) {
        assertThat(err()).isEmpty();
        assertThat(out()).isEqualTo(printed);
        assertThat(code()).isZero();
        return this;
    }
}
