// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.ProgramRun;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class OwnLogsTest {

    /** Logs as a store's client, and as one of our own stores. */
    static final class Talking {
        private Talking() {}

        public static void main(String[] args) {
            Main.silenceLogs();
            Logger.getLogger("com.example.client").severe("lost a connection");
            System.getLogger("dev.seriatim.jdbc.DurabilityCheck").log(Level.WARNING, "may lose commits");
            System.getLogger("dev.seriatim.jdbc.DurabilityCheck").log(Level.INFO, "all is well");
            LoggerFactory.getLogger("com.example.other").error("lost another");
        }
    }

    @Test
    void shows_warnings_of_ours_and_nothing_of_the_clients() {
        ProgramRun run = ProgramRun.of(Talking.class.getName(), Map.of(), List.of());
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).contains("may lose commits").doesNotContain("lost a", "well", "SLF4J");
    }
}
