// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Allocation;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Server;
import dev.seriatim.store.ConfirmingStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** CONFIRMED believes only reads of the server that draws. Servers of their own, one of them a standby. */
@Tag("long")
class ConfirmedReadsTest {

    /** Sends queries outside transactions to one server and everything else to another, as some proxies and drivers do. */
    private static final class Splitting {
        private final Database writes;
        private volatile Database reads;

        Splitting(Database writes, Database reads) {
            this.writes = writes;
            this.reads = reads;
        }

        DataSource source() {
            return (DataSource) Proxy.newProxyInstance(
                    DataSource.class.getClassLoader(),
                    new Class<?>[] {DataSource.class},
                    (self, called, arguments) -> called.getName().equals("getConnection")
                            ? connection()
                            : called.invoke(writes.dataSource(), arguments));
        }

        private Connection connection() throws Exception {
            Connection written = writes.connect();
            Connection read = reads.connect();
            return (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, called, arguments) -> {
                        boolean query = called.getName().equals("prepareStatement")
                                && arguments[0].toString().startsWith("SELECT")
                                && written.getAutoCommit();
                        if (called.getName().equals("close")) {
                            read.close();
                        }
                        try {
                            return called.invoke(query ? read : written, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }

    @Test
    void postgresqls_standby_breaks_the_order_and_is_not_believed() throws Exception {
        try (Server primary = Server.postgresql(Map.of())) {
            Database database = primary.freshDatabase();
            try (JdbcStore store = JdbcStore.open(database.dataSource())) {
                store.create(SequenceDefinition.of("s"));
            }
            try (Server standby = Server.standbyOf(primary);
                    JdbcStore store = JdbcStore.open(database.dataSource())) {
                Database lagging = database.at("127.0.0.1:" + standby.port());
                believedItBreaksTheOrder(store, lagging);
                Splitting splitting = new Splitting(database, lagging);
                try (JdbcStore split = JdbcStore.open(splitting.source())) {
                    assertThat(split.whyNotConfirmed())
                            .hasValueSatisfying(why -> assertThat(why).contains("standby"));
                    isRefused(split, "standby");
                }
                splitting.reads = database;
                try (JdbcStore split = JdbcStore.open(splitting.source())) {
                    drawsInOrderWhereverItReads(split, store, splitting, lagging, "standby");
                }
            }
        }
    }

    /** The fault itself, without the check: a read of a standby that lags confirms what is no longer the newest. */
    private static void believedItBreaksTheOrder(JdbcStore store, Database lagging) throws Exception {
        ConfirmingStore believing = new ConfirmingStore() {
            @Override
            public Reservation reserve(String name, long count) {
                return store.reserve(name, count);
            }

            @Override
            public SequenceState read(String name) {
                try (JdbcStore standby = new JdbcStoreOf(lagging).open()) {
                    return standby.describe(name);
                }
            }
        };
        try (StoreSequences sequences = StoreSequences.of(believing)) {
            Sequence sequence = sequences.open("s", Allocation.confirmed());
            long last = 0;
            while (store.describe("s").nextValue() - last < 4) {
                last = sequence.next();
                caughtUp(store, lagging);
            }
            lagging.execute("SELECT pg_wal_replay_pause()");
            long elsewhere = store.reserve("s", 1).block().first();
            assertThat(sequence.next())
                    .as("a draw that began after another had returned")
                    .isLessThan(elsewhere);
            lagging.execute("SELECT pg_wal_replay_resume()");
        }
    }

    private record JdbcStoreOf(Database database) {
        JdbcStore open() {
            return JdbcStore.open(database.dataSource());
        }
    }

    private static void caughtUp(JdbcStore store, Database lagging) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        long now = store.describe("s").nextValue();
        while (lagging.number("SELECT next_value FROM seriatim_sequence") < now) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    @Test
    void another_mariadb_server_is_not_believed() throws Exception {
        try (Server primary = Server.mariadb(Map.of("server-id", "1"));
                Server second = Server.mariadb(Map.of("server-id", "2"))) {
            Database database = primary.freshDatabase();
            Database elsewhere = second.freshDatabase();
            elsewhere.execute("CREATE DATABASE " + database.name());
            Database copy = database.at(elsewhere.hostAndPort());
            try (JdbcStore store = JdbcStore.open(database.dataSource());
                    JdbcStore other = JdbcStore.open(copy.dataSource())) {
                store.create(SequenceDefinition.of("s"));
                other.create(SequenceDefinition.of("s"));
                Splitting splitting = new Splitting(database, copy);
                try (JdbcStore split = JdbcStore.open(splitting.source())) {
                    isRefused(split, "another server");
                    splitting.reads = database;
                    assertThat(split.whyNotConfirmed())
                            .as("once the primary answers")
                            .isEmpty();
                }
                splitting.reads = database;
                try (JdbcStore split = JdbcStore.open(splitting.source())) {
                    drawsInOrderWhereverItReads(split, store, splitting, copy, "another server");
                }
                copy.execute("SET GLOBAL server_id = 1", "SET GLOBAL read_only = 1");
                splitting.reads = copy;
                try (JdbcStore split = JdbcStore.open(splitting.source())) {
                    isRefused(split, "standby");
                }
            }
        }
    }

    private static void isRefused(JdbcStore split, String why) {
        try (StoreSequences sequences = StoreSequences.of(split)) {
            assertThatThrownBy(() -> sequences.open("s", Allocation.confirmed()))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining("CONFIRMED")
                    .hasMessageContaining(why)
                    .hasMessageContaining("use COMBINED");
            sequences.ordered("s");
            assertThat(sequences.open("s", Allocation.combined()).next()).isPositive();
        }
    }

    /** Queries that go elsewhere after the sequence was opened confirm nothing, and cost no draw. */
    private static void drawsInOrderWhereverItReads(
            JdbcStore split, JdbcStore store, Splitting splitting, Database elsewhere, String why) {
        Database primary = splitting.reads;
        try (StoreSequences sequences = StoreSequences.of(split)) {
            Sequence sequence = sequences.open("s", Allocation.confirmed());
            long last = 0;
            for (int i = 0; i < 60; i++) {
                splitting.reads = i % 20 < 10 ? primary : elsewhere;
                long other = i % 5 == 0 ? store.reserve("s", 1).block().first() : last;
                assertThat(other).isGreaterThanOrEqualTo(last);
                last = sequence.next();
                assertThat(last).isGreaterThan(other);
            }
            splitting.reads = elsewhere;
            assertThatThrownBy(() -> split.read("s"))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining(why)
                    .hasMessageContaining("primary");
            splitting.reads = primary;
            assertThat(split.read("s")).isEqualTo(store.describe("s"));
        }
    }
}
