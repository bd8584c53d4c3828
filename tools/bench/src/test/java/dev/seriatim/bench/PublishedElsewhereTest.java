// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.cli.TypedCommand;
import dev.seriatim.servers.Engine;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublishedElsewhereTest {

    @ParameterizedTest
    @CsvSource({"POSTGRESQL, 'of MariaDB, not of PostgreSQL: '", "MARIADB, 'of MariaDB: '"})
    void figures_of_another_engine_say_whose_they_are(Engine engine, String whose) {
        TypedCommand run = BenchRun.on(
                engine.freshDatabase().url(),
                "--scenario",
                "mariadb",
                "--mode",
                "AUTO_INCREMENT",
                "--threads",
                "2",
                "--duration",
                "20ms",
                "--rounds",
                "1");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("Published figures\n  " + whose + "Performance of Emulated Sequences");
    }
}
