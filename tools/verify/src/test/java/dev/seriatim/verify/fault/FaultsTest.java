// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each fault has its effect, and undoes it if it can. */
@Timeout(60)
class FaultsTest {

    /** Pauses of 300 ms, and one answer lost. */
    private static final RandomGenerator SHORTLY = () -> 2 * 250_000;

    private static final class Sleepers implements AutoCloseable {
        private final List<Process> running = new ArrayList<>();
        private int replaced;

        Sleepers() throws IOException {
            for (int i = 0; i < 3; i++) {
                begin();
            }
        }

        private void begin() throws IOException {
            running.add(new ProcessBuilder("sleep", "1000").start());
        }

        List<ProcessHandle> processes() {
            return running.stream().map(Process::toHandle).toList();
        }

        void replace(ProcessHandle killed) {
            killed.onExit().join();
            running.removeIf(process -> process.toHandle().equals(killed));
            replaced++;
            try {
                begin();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void close() {
            running.forEach(Process::destroyForcibly);
        }
    }

    @Test
    void a_killed_process_is_replaced() throws Exception {
        try (Sleepers sleepers = new Sleepers()) {
            List<ProcessHandle> before = sleepers.processes();
            ProcessFaults.kill("killed", sleepers::processes, sleepers::replace)
                    .injection()
                    .inject(new SplittableRandom(1));
            assertThat(sleepers.replaced).isEqualTo(1);
            assertThat(before.stream().filter(ProcessTree::isRunning)).hasSize(2);
            assertThat(sleepers.processes()).hasSize(3).allMatch(ProcessTree::isRunning);
        }
    }

    @Test
    void a_stopped_process_goes_on_even_if_the_fault_is_interrupted() throws Exception {
        try (Sleepers sleepers = new Sleepers()) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() ->
                            ProcessFaults.stop(sleepers::processes).injection().inject(new SplittableRandom(1)))
                    .isInstanceOf(InterruptedException.class);
            for (ProcessHandle process : sleepers.processes()) {
                assertThat(new ProcessTree(process).processes()).hasSize(1);
                assertThat(Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat")))
                        .doesNotContain(") T ");
            }
        }
    }

    /** Stops a process and waits. */
    static final class Stopper {

        private Stopper() {}

        public static void main(String[] arguments) throws Exception {
            ChildProcesses.suspend(
                    ProcessHandle.of(Long.parseLong(arguments[0])).orElseThrow());
            System.out.println("stopped");
            Thread.sleep(60_000);
        }
    }

    @Test
    void a_stopped_process_goes_on_even_if_the_one_that_stopped_it_is_killed() throws Exception {
        try (Sleepers sleepers = new Sleepers()) {
            Path stat =
                    Path.of("/proc", Long.toString(sleepers.processes().get(0).pid()), "stat");
            Process stopper = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Stopper.class.getName(),
                            Long.toString(sleepers.processes().get(0).pid()))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            assertThat(stopper.inputReader().readLine()).isEqualTo("stopped");
            while (!Files.readString(stat).contains(") T ")) {
                Thread.sleep(1);
            }
            stopper.destroyForcibly().waitFor();
            while (Files.readString(stat).contains(") T ")) {
                Thread.sleep(10);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void after_a_fault_the_link_passes_on_everything(LinkFaults fault) throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE TABLE t (n INTEGER)");
        LinkedUrl url = LinkedUrl.parse(database.url());
        try (TcpLink link = url.open();
                Connection idle = DriverManager.getConnection(url.through(link.port()))) {
            InjectedFault injected = fault.on(List.of(link));
            CompletableFuture<Void> ended = CompletableFuture.runAsync(() -> {
                try {
                    injected.injection().inject(SHORTLY);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            int failures = 0;
            while (!ended.isDone()) {
                failures += isInserted(url.through(link.port())) ? 0 : 1;
            }
            ended.join();
            boolean isHarmless = fault == LinkFaults.HOLD;
            boolean isOfOneMoment = fault == LinkFaults.CUT;
            if (!isOfOneMoment) {
                assertThat(failures > 0).isNotEqualTo(isHarmless);
            }
            boolean idleIsCut = fault == LinkFaults.CUT || fault == LinkFaults.REFUSE;
            assertThat(idle.isValid(10)).isNotEqualTo(idleIsCut);
            assertThat(isInserted(url.through(link.port()))).isTrue();
        }
    }

    private static boolean isInserted(String url) {
        try (Connection connection = DriverManager.getConnection(url);
                var statement = connection.createStatement()) {
            statement.execute("INSERT INTO t VALUES (1)");
            return true;
        } catch (SQLException e) {
            return false;
        }
    }
}
