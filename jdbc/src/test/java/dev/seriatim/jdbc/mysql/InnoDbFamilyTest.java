// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.GaplessSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.jdbc.DurabilityCheck;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.SequenceTable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mariadb.jdbc.MariaDbDataSource;

class InnoDbFamilyTest {

    /** The values of read_only: numbers before MariaDB 12.0.1, names since. */
    @ParameterizedTest
    @CsvSource({"0, false", "1, true", "'OFF', false", "'ON', true", "'NO_LOCK', true", "'NO_LOCK_NO_ADMIN', true"})
    void a_server_is_a_standby_if_it_is_read_only_in_any_way(String value, boolean standby) throws SQLException {
        String literal = Character.isDigit(value.charAt(0)) ? value : "'" + value + "'";
        String query = "SELECT "
                + new MariaDbDialect(false, true, true, true)
                        .onStandby()
                        .orElseThrow()
                        .replace("@@GLOBAL.read_only", literal);
        Database database = Engine.MARIADB.freshDatabase();
        for (String prepared : new String[] {"false", "true"}) {
            try (Connection connection =
                            database.option("useServerPrepStmts", prepared).connect();
                    PreparedStatement statement = connection.prepareStatement(query);
                    ResultSet row = statement.executeQuery()) {
                row.next();
                assertThat(row.getBoolean(1)).isEqualTo(standby);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"transactionReplay=true", "TRANSACTIONREPLAY=1", "transactionReplay", "transactionReplay="})
    void a_driver_that_repeats_transactions_is_refused(String option) {
        Database database = Engine.MARIADB.freshDatabase();
        String url = database.url() + "&" + option;
        refused(() -> JdbcSequences.open(url));
        refused(() -> JdbcSequences.open(url.replace("jdbc:mariadb:", "jdbc:mariadb:sequential:")));
    }

    @Test
    void it_is_refused_over_a_pool_even_if_only_a_property_says_so() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(Engine.MARIADB.freshDatabase().url());
        config.addDataSourceProperty("transactionReplay", "true");
        config.setMaximumPoolSize(2);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            refused(() -> JdbcStore.open(pool, SequenceTable.own(), DurabilityCheck.WARN, Duration.ofSeconds(10)));
            refused(() ->
                    JdbcStore.keeping(pool, 1, SequenceTable.own(), DurabilityCheck.WARN, Duration.ofSeconds(10)));
        }
    }

    @Test
    void it_is_refused_on_the_connection_of_a_caller_who_draws() throws SQLException {
        Database database = Engine.MARIADB.freshDatabase();
        try (JdbcSequences sequences = JdbcSequences.open(database.url());
                Connection connection = DriverManager.getConnection(database.url() + "&transactionReplay=true")) {
            connection.setAutoCommit(false);
            GaplessSequence<Connection> gapless = sequences.gapless("s");
            refused(() -> gapless.next(connection));
            refused(() -> gapless.pooled().next(connection));
        }
    }

    @Test
    void a_driver_that_does_not_is_taken() {
        JdbcSequences.open(Engine.MARIADB
                        .freshDatabase()
                        .option("transactionReplay", "false")
                        .url())
                .close();
    }

    private static void refused(ThrowingCallable open) {
        assertThatThrownBy(open)
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("transactionReplay")
                .hasMessageContaining("remove that option")
                .hasMessageNotContaining("password");
    }

    @Test
    void a_commit_whose_answer_was_lost_is_unknown_although_the_driver_has_connected_again() throws Exception {
        Database database = Engine.MARIADB.freshDatabase();
        try (LossyRelay relay = new LossyRelay(database.hostAndPort())) {
            String url = database.at(relay.hostAndPort()).url().replace("jdbc:mariadb:", "jdbc:mariadb:sequential:");
            JdbcStore store = JdbcStore.open(new MariaDbDataSource(url), SequenceTable.own());
            store.create(SequenceDefinition.of("s"));
            relay.loses.set(true);
            assertThatThrownBy(() -> store.inTransaction(connection -> store.reserve(connection, "s", 1)))
                    .isInstanceOf(CommitOutcomeUnknown.class)
                    .hasStackTraceContaining("during a COMMIT statement");
            assertThat(store.describe("s").nextValue())
                    .as("committed nevertheless")
                    .isEqualTo(2);
        }
    }

    @Test
    void a_statement_that_commits_itself_is_repeated_until_the_node_is_ready() throws SQLException {
        Database database = Engine.MARIADB.freshDatabase();
        JdbcStore store =
                JdbcStore.open(database.dataSource(), SequenceTable.own(), DurabilityCheck.WARN, Duration.ofSeconds(1));
        store.create(SequenceDefinition.of("s"));
        store.reserve("s", 1); // in a transaction, which shows what the next draws can be
        database.execute("""
                CREATE TRIGGER not_ready BEFORE UPDATE ON seriatim_sequence FOR EACH ROW
                SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 1047, MESSAGE_TEXT = 'WSREP has not yet prepared node'""");
        assertThatThrownBy(() -> store.reserve("s", 1))
                .isInstanceOf(Overloaded.class)
                .hasMessageContaining("is not ready");
        database.execute("DROP TRIGGER not_ready");
        assertThat(store.reserve("s", 1).block().first()).isEqualTo(2);
    }

    /** Relays connections to a server, and cuts one instead of delivering the answer to a COMMIT. */
    private static final class LossyRelay implements AutoCloseable {

        private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final AtomicBoolean loses = new AtomicBoolean();
        private final InetSocketAddress server;

        LossyRelay(String hostAndPort) throws IOException {
            String[] parts = hostAndPort.split(":", -1);
            server = new InetSocketAddress(parts[0], Integer.parseInt(parts[1]));
            inBackground(() -> {
                while (true) {
                    Socket client = listener.accept();
                    Socket target = new Socket(server.getAddress(), server.getPort());
                    AtomicBoolean commits = new AtomicBoolean();
                    inBackground(() -> relay(client, target, sent -> {
                        commits.set(sent.contains("COMMIT"));
                        return true;
                    }));
                    inBackground(() -> relay(target, client, answer -> !commits.get() || !loses.getAndSet(false)));
                }
            });
        }

        private static void inBackground(ThrowingCallable work) {
            Thread thread = new Thread(() -> {
                try {
                    work.call();
                } catch (Throwable closed) {
                    // the end of the connection, or of the relay
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        private static void relay(Socket from, Socket to, Predicate<String> delivers) throws IOException {
            try (from;
                    to) {
                byte[] buffer = new byte[1 << 16];
                int count = from.getInputStream().read(buffer);
                while (count > 0 && delivers.test(new String(buffer, 0, count, StandardCharsets.ISO_8859_1))) {
                    to.getOutputStream().write(buffer, 0, count);
                    count = from.getInputStream().read(buffer);
                }
            }
        }

        String hostAndPort() {
            return listener.getInetAddress().getHostAddress() + ":" + listener.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }
}
