// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.Allocation;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.TransactionalSequence;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The emulated sequence that MariaDB users know, typed into MariaDB's client while the library draws from the same
 * row: no duplicates, no surprises.
 */
class PublishedStatementsTest {

    private static final int CLIENTS = 2;
    private static final int TYPED = 400;

    private static final String CREATE =
            "CREATE TABLE seq_table (seq_name CHAR(10) PRIMARY KEY, last_val BIGINT UNSIGNED)";
    private static final String INSERT = "INSERT INTO seq_table VALUES ('test', 0)";

    private static final String STATEMENTS = """
            UPDATE seq_table SET last_val = LAST_INSERT_ID(last_val+1) WHERE seq_name='test';
            SELECT LAST_INSERT_ID();
            """;
    private static final String IN_A_TRANSACTION = "START TRANSACTION;\n" + STATEMENTS + "COMMIT;\n";
    private static final String ROLLED_BACK = """
            START TRANSACTION;
            UPDATE seq_table SET last_val = LAST_INSERT_ID(last_val+1) WHERE seq_name='test';
            ROLLBACK;
            """;
    private static final String FUNCTION = "SELECT next_val('test');\n";

    private final Database database;
    private final HikariDataSource pool;

    PublishedStatementsTest() {
        database = Engine.MARIADB.freshDatabase();
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        pool = new HikariDataSource(config);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private static SequenceTable table() {
        return SequenceTable.lastValue("seq_table", "seq_name", "last_val");
    }

    @TestFactory
    Stream<DynamicTest> while_the_library_draws_from_the_same_row() {
        return DynamicTest.stream(
                Stream.of(
                        Allocation.async(),
                        Allocation.combined(),
                        Allocation.batch(7),
                        Allocation.asyncBatch(20, 5),
                        Allocation.adaptive()),
                Allocation::toString,
                mode -> together((store, sequences) -> {
                    Sequence sequence = sequences.open("test", mode);
                    return sequence::next;
                }));
    }

    @Test
    void while_the_library_draws_inside_transactions() throws Exception {
        together((store, sequences) -> {
            var sync = TransactionalSequence.of(store, "test");
            return () -> store.inTransaction(sync::next);
        });
        assertGapless();
    }

    @Test
    void while_the_library_reserves_one_by_one() throws Exception {
        together((store, sequences) -> () -> store.reserve("test", 1).block().first());
        assertGapless();
    }

    @Test
    void a_table_without_transactions_is_refused() throws SQLException {
        database.execute(CREATE + " ENGINE = MyISAM", INSERT);
        assertThatThrownBy(() -> JdbcStore.open(pool, table()))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("table seq_table is MyISAM")
                .hasMessageContaining("ENGINE = InnoDB");
    }

    private interface Drawing {
        Callable<Long> by(JdbcStore store, StoreSequences sequences);
    }

    private final List<Long> all = new ArrayList<>();

    private void together(Drawing drawing) throws Exception {
        database.execute("DROP TABLE IF EXISTS seq_table", CREATE, INSERT);
        all.clear();
        try (JdbcStore store = JdbcStore.open(pool, table());
                StoreSequences sequences = StoreSequences.of(store)) {
            store.install();
            Callable<Long> library = drawing.by(store, sequences);
            List<Long> drawn = whileTyping(library);
            assertThat(drawn).as("the library drew meanwhile").hasSizeGreaterThan(TYPED / 10);
            all.addAll(drawn);
        }
        assertThat(new HashSet<>(all)).as("no duplicate").hasSameSizeAs(all);
        assertThat(Collections.max(all)).isLessThanOrEqualTo(lastVal());
        assertThat(Collections.min(all)).isPositive();
    }

    /**
     * Runs the clients and the library at the same time. Adds the clients' numbers to {@code all}, and returns those
     * that the library drew until the clients were done.
     */
    private List<Long> whileTyping(Callable<Long> library) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<List<Long>>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(threads.submit(this::typed));
            }
            List<Future<List<Long>>> callers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                callers.add(threads.submit(() -> drawUntilDone(library, clients)));
            }
            for (Future<List<Long>> client : clients) {
                List<Long> values = finished(client);
                assertThat(values).as("each client sees it grow").isSorted().hasSize(TYPED);
                all.addAll(values);
            }
            List<Long> drawn = new ArrayList<>();
            for (Future<List<Long>> caller : callers) {
                drawn.addAll(finished(caller));
            }
            return drawn;
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<Long> finished(Future<List<Long>> future) throws Exception {
        try {
            return future.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    private List<Long> typed() throws Exception {
        String text = (STATEMENTS + FUNCTION + IN_A_TRANSACTION + ROLLED_BACK + STATEMENTS).repeat(TYPED / 4);
        return SqlClient.mariaDb(database).run(text).lines().map(Long::valueOf).toList();
    }

    private static List<Long> drawUntilDone(Callable<Long> library, List<Future<List<Long>>> clients) throws Exception {
        List<Long> drawn = new ArrayList<>();
        while (!clients.stream().allMatch(Future::isDone)) {
            // Enough to conflict all the time; a mode that deals from memory would exhaust the memory.
            if (drawn.size() < 20_000) {
                drawn.add(library.call());
            } else {
                TimeUnit.MILLISECONDS.sleep(1);
            }
        }
        return drawn;
    }

    private void assertGapless() throws SQLException {
        assertThat(all.stream().sorted().toList())
                .isEqualTo(LongStream.rangeClosed(1, lastVal()).boxed().toList());
    }

    private long lastVal() throws SQLException {
        return database.number("SELECT last_val FROM seq_table");
    }
}
