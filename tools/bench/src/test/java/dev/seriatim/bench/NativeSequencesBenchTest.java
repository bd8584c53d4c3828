// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.cli.CommandLineRun;
import dev.seriatim.servers.Engine;
import org.junit.jupiter.api.Test;

/** The benchmark on the sequences that a database has of its own. */
class NativeSequencesBenchTest {

    @Test
    void bench_measures_every_mode_but_those_in_transactions_and_names_the_store() {
        String store = Engine.POSTGRESQL
                .freshDatabase()
                .option("seriatim.sequences", "native")
                .url();
        CommandLineRun run = CommandLineRun.on(
                store,
                "bench",
                "--mode",
                "SYNC,ASYNC,COMBINED,BATCH,ADAPTIVE",
                "--threads",
                "4",
                "--iterations",
                "200",
                "--app-latency",
                "0ms");
        assertThat(run.code()).isZero();
        assertThat(run.err()).contains("values can repeat after a server crash");
        assertThat(run.out().replaceAll("\\s+", " "))
                .contains("it has no transactions, since its counters are not part of one")
                .contains("ADAPTIVE");
    }
}
