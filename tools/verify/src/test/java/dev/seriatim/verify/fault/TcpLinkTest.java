// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A link before a server that repeats what it hears. */
@Timeout(60)
class TcpLinkTest {

    /** Sends back every byte, after a byte of its own. */
    private static final class Echo implements AutoCloseable {
        private final ServerSocket listener =
                new ServerSocket(0, 1_100, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        private final byte name;

        Echo(char name) throws IOException {
            this.name = (byte) name;
            start(() -> {
                while (true) {
                    Socket socket = listener.accept();
                    start(() -> answer(socket));
                }
            });
        }

        private interface Task {
            void run() throws IOException;
        }

        private static void start(Task task) {
            Thread thread = new Thread(() -> {
                try {
                    task.run();
                } catch (IOException e) {
                    // It was cut, or the test is over.
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        private void answer(Socket socket) throws IOException {
            try (socket;
                    InputStream in = socket.getInputStream();
                    OutputStream out = socket.getOutputStream()) {
                out.write(name);
                byte[] bytes = new byte[8192];
                for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                    out.write(bytes, 0, n);
                }
            }
        }

        int port() {
            return listener.getLocalPort();
        }

        TcpLink link() {
            return TcpLink.to("127.0.0.1", port(), WireProtocol.OTHER);
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }

    private static Socket connect(TcpLink link) throws IOException {
        Socket socket = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), link.port());
        socket.setSoTimeout(20_000);
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static Socket connectAndHear(TcpLink link, char name) throws IOException {
        Socket socket = connect(link);
        assertThat((char) socket.getInputStream().read()).isEqualTo(name);
        return socket;
    }

    private static void assertRepeats(Socket socket) throws IOException {
        socket.getOutputStream().write(42);
        assertThat(socket.getInputStream().read()).isEqualTo(42);
    }

    @Test
    void all_bytes_pass_in_both_directions_also_when_one_end_is_slow() throws Exception {
        byte[] bytes = new byte[8_000_000];
        new Random(7).nextBytes(bytes);
        try (Echo echo = new Echo('a');
                TcpLink link = echo.link();
                Socket socket = connectAndHear(link, 'a')) {
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
                try {
                    socket.getOutputStream().write(bytes);
                    socket.shutdownOutput();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            // The queues between the two fill up before anything is read. How much they take is the kernel's affair.
            Thread.sleep(200);
            assertThat(Arrays.equals(socket.getInputStream().readAllBytes(), bytes))
                    .isTrue();
            sent.join();
        }
    }

    @Test
    void a_cut_connection_is_reset_and_a_new_one_passes() throws Exception {
        try (Echo echo = new Echo('a');
                TcpLink link = echo.link();
                Socket socket = connectAndHear(link, 'a')) {
            assertRepeats(socket);
            assertThat(link.cut()).isEqualTo(1);
            assertThatThrownBy(() -> socket.getInputStream().read())
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
            try (Socket next = connectAndHear(link, 'a')) {
                assertRepeats(next);
            }
        }
    }

    @Test
    void refused_connections_are_refused_until_it_is_restored_on_the_same_port() throws Exception {
        try (Echo echo = new Echo('a');
                TcpLink link = echo.link();
                Socket before = connectAndHear(link, 'a')) {
            for (int round = 0; round < 20; round++) {
                link.refuse();
                assertRefuses(link);
                assertRepeats(before);
                link.restore();
                connectAndHear(link, 'a').close();
            }
            assertThat(link.tally().refused()).isEqualTo(20);
        }
    }

    private static void assertRefuses(TcpLink link) {
        assertThatThrownBy(() -> {
                    try (Socket socket = connect(link)) {
                        socket.getInputStream().read();
                    }
                })
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("reset");
    }

    @Test
    void it_refuses_whether_it_holds_or_not() throws Exception {
        try (Echo echo = new Echo('a');
                TcpLink link = echo.link()) {
            link.hold();
            try (Socket held = connect(link)) {
                link.refuse();
                assertThatThrownBy(() -> held.getInputStream().read()).isInstanceOf(SocketException.class);
            }
            link.hold();
            assertRefuses(link);
            link.restore();
            connectAndHear(link, 'a').close();
        }
    }

    /** A connection that is reset is to a driver what one is that nobody answers: it failed. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void drivers_hear_that_the_connection_failed_while_it_refuses(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        LinkedUrl url = LinkedUrl.parse(database.url());
        try (TcpLink link = url.open();
                Socket nobody = boundButNotListening()) {
            assertConnectionFails(url.through(nobody.getLocalPort()));
            link.refuse();
            assertConnectionFails(url.through(link.port()));
            link.restore();
            DriverManager.getConnection(url.through(link.port())).close();
        }
    }

    /** Nobody else gets its port. */
    private static Socket boundButNotListening() throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0));
        return socket;
    }

    private static void assertConnectionFails(String url) {
        assertThatThrownBy(() -> DriverManager.getConnection(url))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).startsWith("08"));
    }

    @Test
    void what_is_held_arrives_when_it_is_restored() throws Exception {
        try (Echo echo = new Echo('a');
                TcpLink link = echo.link();
                Socket socket = connectAndHear(link, 'a')) {
            link.hold();
            socket.getOutputStream().write(42);
            try (Socket next = connect(link)) {
                next.setSoTimeout(200);
                assertThatThrownBy(() -> next.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
                socket.setSoTimeout(200);
                assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
                link.restore();
                socket.setSoTimeout(20_000);
                next.setSoTimeout(20_000);
                assertThat(socket.getInputStream().read()).isEqualTo(42);
                assertThat((char) next.getInputStream().read()).isEqualTo('a');
            }
        }
    }

    @Test
    void no_answer_to_a_request_arrives_once_answers_are_swallowed_and_none_after_a_missing_one() throws Exception {
        byte swallowed = -1;
        try (Echo echo = new Echo('a');
                TcpLink link = echo.link()) {
            for (int round = 0; round < 100; round++) {
                try (Socket socket = connectAndHear(link, 'a')) {
                    CompletableFuture<List<Byte>> received = CompletableFuture.supplyAsync(() -> untilReset(socket));
                    for (byte number = 0; number < 50; number++) {
                        socket.getOutputStream().write(number);
                    }
                    long before = link.tally().answersLost();
                    link.swallow();
                    socket.getOutputStream().write(swallowed);
                    while (link.tally().answersLost() == before) {
                        Thread.sleep(1);
                    }
                    link.restore();
                    List<Byte> bytes = received.get(20, TimeUnit.SECONDS);
                    assertThat(bytes).doesNotContain(swallowed);
                    for (int i = 0; i < bytes.size(); i++) {
                        assertThat(bytes.get(i)).isEqualTo((byte) i);
                    }
                }
            }
        }
    }

    private static List<Byte> untilReset(Socket socket) {
        List<Byte> received = new ArrayList<>();
        try {
            for (int next = socket.getInputStream().read();
                    next >= 0;
                    next = socket.getInputStream().read()) {
                received.add((byte) next);
            }
            throw new AssertionError("the connection ended in order");
        } catch (IOException e) {
            return received;
        }
    }

    @Test
    void after_a_failover_new_connections_lead_to_the_new_server() throws Exception {
        try (Echo first = new Echo('a');
                Echo second = new Echo('b');
                TcpLink link = first.link();
                Socket before = connectAndHear(link, 'a')) {
            link.leadTo("localhost", second.port());
            assertRepeats(before);
            connectAndHear(link, 'b').close();
        }
    }

    @Test
    void the_answer_to_any_request_can_be_lost_where_the_protocol_is_unknown() throws Exception {
        try (Echo echo = new Echo('a');
                TcpLink link = echo.link();
                Socket socket = connectAndHear(link, 'a')) {
            AnswerLoss loss = link.loseAnswers(1, 1);
            socket.getOutputStream().write(42);
            assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketException.class);
            assertThat(loss.lost()).isEqualTo(1);
            assertThat(link.tally().answersLost()).isEqualTo(1);
        }
    }

    @Test
    void a_server_that_is_away_resets_the_connection() throws Exception {
        try (Socket nobody = boundButNotListening();
                TcpLink link = TcpLink.to("127.0.0.1", nobody.getLocalPort(), WireProtocol.OTHER)) {
            try (Socket socket = connect(link)) {
                assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketException.class);
            }
            assertThat(link.tally().refused()).isEqualTo(1);
            assertThat(link.tally().open()).isZero();
        }
    }

    @Test
    void an_unknown_host_is_reported_in_one_line() {
        assertThatThrownBy(() -> TcpLink.to("no.such.host.invalid", 1, WireProtocol.OTHER))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("'no.such.host.invalid' is unknown here");
    }

    @Test
    void a_thousand_cut_connections_leave_no_thread_and_no_socket() throws Exception {
        try (Echo echo = new Echo('a')) {
            TcpLink link = echo.link();
            try (link) {
                for (int round = 0; round < 10; round++) {
                    List<Socket> sockets = new ArrayList<>();
                    for (int i = 0; i < 100; i++) {
                        sockets.add(connectAndHear(link, 'a'));
                    }
                    assertThat(sockets(echo.port())).isGreaterThanOrEqualTo(100);
                    assertThat(threads(link)).isGreaterThan(100);
                    assertThat(link.cut()).isEqualTo(100);
                    for (Socket socket : sockets) {
                        socket.close();
                    }
                }
                assertThat(link.tally().open()).isZero();
                awaitOneThread(link);
                connectAndHear(link, 'a').close();
                connect(link); // left open, for the link to close
            }
            assertThat(threads(link)).isZero();
            awaitAtMostOneSocket(link.port()); // the test's own
            awaitAtMostOneSocket(echo.port()); // the listener; the echo's threads still close theirs
            assertThatThrownBy(() -> connect(link)).isInstanceOf(ConnectException.class);
            assertThatThrownBy(link::cut).hasMessage("the link is closed");
        }
    }

    private static long threads(TcpLink link) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("seriatim-link-" + link.port()))
                .count();
    }

    private static void awaitOneThread(TcpLink link) throws InterruptedException {
        while (threads(link) > 1) {
            Thread.sleep(2);
        }
        assertThat(threads(link)).isEqualTo(1);
    }

    private static void awaitAtMostOneSocket(int port) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (sockets(port) > 1 && System.nanoTime() < end) {
            Thread.sleep(2);
        }
        assertThat(sockets(port)).isLessThanOrEqualTo(1);
    }

    /** Returns the number of sockets with a port, at either end, that a process of this machine holds. The kernel's own have no inode. */
    private static long sockets(int port) throws IOException {
        String hex = String.format(":%04X", port);
        long count = 0;
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            for (String line : Files.readAllLines(Path.of(table))) {
                String[] words = line.strip().split("\\s+", -1);
                boolean held = !words[9].equals("0");
                count += held && (words[1].endsWith(hex) || words[2].endsWith(hex)) ? 1 : 0;
            }
        }
        return count;
    }

    @Test
    @EnabledIfSystemProperty(
            named = "seriatim.trials",
            matches = "soak",
            disabledReason = "takes long; -Dseriatim.trials=soak runs it")
    @Tag("long")
    void a_round_trip_through_a_link_takes_little_longer() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        LinkedUrl url = LinkedUrl.parse(database.url());
        try (TcpLink link = url.open();
                Connection direct = database.connect();
                Connection linked = DriverManager.getConnection(url.through(link.port()))) {
            double added = Double.MAX_VALUE;
            for (int round = 0; round < 6; round++) {
                double without = micros(direct);
                double with = micros(linked);
                added = Math.min(added, with - without);
                System.out.printf("link: %.1f us without, %.1f us with%n", without, with);
            }
            assertThat(added).isLessThan(200);
        }
    }

    private static double micros(Connection connection) throws Exception {
        int count = 10_000;
        try (var query = connection.prepareStatement("SELECT 1")) {
            long began = System.nanoTime();
            for (int i = 0; i < count; i++) {
                query.executeQuery().close();
            }
            return (System.nanoTime() - began) / 1e3 / count;
        }
    }
}
