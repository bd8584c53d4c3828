// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChangeCommandsTest extends SqliteCommands {

    @Test
    void alter_changes_only_what_it_is_given() {
        line("create a --max-value 3 --cycle --cache 5").succeeded();
        line("next a -n 2").succeeded();
        assertThat(line("alter a --max-value 9 --no-cycle").succeeded())
                .isEqualTo("altered 'a', its next value is 3\n");
        assertThat(line("show a --format json").succeeded())
                .contains("\"max_value\": \"9\"", "\"cycle\": false", "\"cache\": \"5\"", "\"next_value\": \"3\"");
    }

    @Test
    void alter_lets_a_used_up_sequence_go_on() {
        line("create a --max-value 1").succeeded();
        line("next a").succeeded();
        assertThat(line("alter a --max-value 2").succeeded()).contains("its next value is 2");
        assertThat(line("next a").succeeded()).isEqualTo("2\n");
    }

    @Test
    void alter_refuses_to_change_nothing_or_into_nonsense() {
        line("create a").succeeded();
        line("alter a").refusedWith("nothing to alter", "--max-value");
        line("alter a --increment-by 0").failedWith("'a'", "increment must not be 0");
        line("next a -n 9").succeeded();
        line("alter a --max-value 5").failedWith("'a'", "outside the new bounds", "choose bounds that contain it");
        line("alter none --cache 5").failedWith("'none'", "not found");
    }

    @Test
    void alter_says_how_a_counter_gets_into_the_new_bounds() {
        line("create a").succeeded();
        String change = "alter a --min-value 50 --start-with 50";
        line(change).failedWith("'a'", "outside the new bounds", "raise it to a value inside them first");
        line("raise a --to 50").succeeded();
        line(change).succeeded();
        assertThat(line("next a").succeeded()).isEqualTo("50\n");
    }

    @Test
    void restart_goes_back_to_a_value_or_to_the_start() {
        line("create a --start-with 5").succeeded();
        line("next a -n 10").succeeded();
        assertThat(line("restart a --with 7").noted("'a'")).isEqualTo("restarted 'a', its next value is 7\n");
        assertThat(line("next a").succeeded()).isEqualTo("7\n");
        assertThat(line("restart a").noted("'a'")).contains("its next value is 5");
        line("restart a --with -1").failedWith("'a'", "outside its bounds");
        line("restart none").failedWith("'none'", "not found");
    }

    @Test
    void restart_says_what_running_instances_do_and_how_to_jump_beyond_them() {
        line("create a").succeeded();
        line("next a -n 10").succeeded();
        assertThat(line("restart a --with 7")
                        .noted("'a'", "the rest of their blocks", "BATCH, ASYNC_BATCH and ADAPTIVE", "raise a --to 11"))
                .isEqualTo("restarted 'a', its next value is 7\n");
        assertThat(line("restart a --with 700").succeeded()).isEqualTo("restarted 'a', its next value is 700\n");
        assertThat(line("help restart").succeeded())
                .contains("deal the rest of their blocks", "--idle", "raise --to N");
    }

    @Test
    void restart_can_wait_until_there_is_no_reservation() throws Exception {
        line("create a").succeeded();
        List<Long> begun = new ArrayList<>();
        List<Long> drawn = new ArrayList<>();
        Thread drawing = new Thread(() -> {
            for (int i = 0; i < 10; i++) {
                begun.add(System.nanoTime());
                drawn.add(Long.valueOf(line("next a").succeeded().strip()));
                LockSupport.parkNanos(100_000_000);
            }
        });
        drawing.start();
        CommandLineRun run = line("restart a --with 1 --idle 700ms");
        long restarted = System.nanoTime();
        drawing.join();
        int before = 0; // on a busy machine there may be draws after the restart, which begin with 1 again
        while (before < drawn.size()
                && begun.get(before) < restarted
                && (before == 0 || drawn.get(before) > drawn.get(before - 1))) {
            assertThat(restarted - begun.get(before)).isGreaterThan(700_000_000L);
            before++;
        }
        assertThat(run.out()).isEqualTo("restarted 'a', its next value is 1\n");
        assertThat(run.err()).startsWith("waiting until there is no reservation from 'a' for 700ms\nnote: ");
        line("restart a --idle 0ms").refusedWith("--idle");
        line("restart a --idle x").refusedWith("--idle");
        line("restart none --idle 1ms").failedWith("'none'", "not found");
    }

    @Test
    void raise_only_goes_forward_and_says_what_it_did() {
        line("create a").succeeded();
        assertThat(line("raise a --to 100").succeeded()).isEqualTo("raised 'a', its next value is 100\n");
        assertThat(line("raise a --to 50").succeeded()).isEqualTo("already beyond: 'a', its next value is 100\n");
        assertThat(line("raise a --to 100").succeeded()).startsWith("already beyond");
        assertThat(line("next a").succeeded()).isEqualTo("100\n");
        line("raise a --to 0").failedWith("'a'", "outside its bounds");
        line("raise none --to 5").failedWith("'none'", "not found");
        line("raise a").refusedWith("missing required option", "--to");
    }

    @Test
    void raise_lowers_a_sequence_that_counts_down() {
        line("create a --increment-by -1").succeeded();
        assertThat(line("raise a --to -100").succeeded()).startsWith("raised");
        assertThat(line("next a").succeeded()).isEqualTo("-100\n");
        assertThat(line("raise a --to -50").succeeded()).startsWith("already beyond");
    }

    @Test
    void drop_removes_a_sequence() {
        line("create a").succeeded();
        assertThat(line("drop a").succeeded()).startsWith("dropped 'a'");
        line("next a").failedWith("'a'", "not found");
        line("drop a").failedWith("'a'", "not found", "list shows");
        assertThat(line("drop a").err()).doesNotContain("create");
    }

    @Test
    void install_makes_the_table_and_can_be_repeated() {
        for (int i = 0; i < 2; i++) {
            assertThat(line("install").succeeded())
                    .startsWith("installed in ")
                    .endsWith(", without functions: only PostgreSQL, MariaDB and MySQL have them\n");
        }
        assertThat(line("list --format json").succeeded()).isEqualTo("[]\n");
    }

    @Test
    void install_prints_statements_that_end_in_a_semicolon_and_comments_that_do_not() {
        String script = line("install --print").succeeded();
        assertThat(script).contains("CREATE TABLE").contains(");\n");
        assertThat(script.lines().filter(line -> line.startsWith("--"))).noneMatch(line -> line.endsWith(";"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"alter", "restart", "raise", "drop", "show", "next", "sync"})
    void every_command_on_a_sequence_asks_for_its_name(String command) {
        line(command).refusedWith("NAME");
    }
}
