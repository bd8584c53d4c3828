// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.Allocation;
import dev.seriatim.GaplessSequence;
import dev.seriatim.GroupedSequence;
import dev.seriatim.PooledSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.Turn;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Server;
import dev.seriatim.store.StoreDriver;
import java.sql.Connection;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every call to a server that is stopped ends at patience, and works again when the server goes on. */
@Timeout(120)
@Tag("long")
@Isolated("it measures how long calls wait")
class SilentServerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** A check of an idle connection and a login may take a second each. */
    private static final Duration LONGEST = PATIENCE.plusSeconds(2);

    private static final String RESERVE = "reserve";

    /** So many that checking each idle connection would take longer. */
    private static final int KEPT = 12;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void every_call_ends_at_patience_names_the_server_and_works_again_when_it_goes_on(boolean postgresql)
            throws Exception {
        try (Server server = postgresql ? Server.postgresql(Map.of()) : Server.mariadb(Map.of())) {
            Database database = server.freshDatabase();
            // PostgreSQL's driver waits that long when it cancels a statement; over a data source, we cannot say how
            // long.
            DataSource source = (postgresql ? database.option("cancelSignalTimeout", "1") : database).dataSource();
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(database.url());
            config.setMaximumPoolSize(1);
            try (HikariDataSource pool = LoginTimeouts.keptFor(() -> new HikariDataSource(config));
                    JdbcSequences url = overUrl(database);
                    JdbcSequences hikari = JdbcSequences.keeping(pool, KEPT, s -> s.patience(PATIENCE));
                    JdbcSequences plain = JdbcSequences.keeping(source, KEPT, s -> s.patience(PATIENCE))) {
                Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
                calls.putAll(calls("url", url));
                calls.putAll(calls("hikari", hikari));
                calls.putAll(calls("plain", plain));
                int number = 0;
                for (boolean checked : new boolean[] {true, false}) {
                    Stream.of(url, hikari, plain).forEach(SilentServerTest::occupyAll);
                    if (checked) {
                        TimeUnit.MILLISECONDS.sleep(600); // an idle connection is trusted for half a second
                    }
                    server.suspend();
                    Map<String, Throwable> thrown = allAtOnce(calls);
                    server.resume();
                    thrown.forEach((call, e) -> assertThat(e)
                            .as(call)
                            .isInstanceOf(SequenceException.class)
                            .hasMessageContaining(
                                    e instanceof CommitOutcomeUnknown && call.endsWith(RESERVE)
                                            ? "outcome unknown"
                                            : String.valueOf(server.port()))
                            .hasMessageNotContaining("\n"));
                    long began = System.nanoTime();
                    for (JdbcSequences each : new JdbcSequences[] {url, hikari, plain}) {
                        String name = "later" + number++;
                        untilItWorks(() -> each.ordered(name).next());
                    }
                    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(6));
                }
            }
        }
    }

    private static JdbcSequences overUrl(Database database) {
        String url = database.option("seriatim.patience", "1s")
                .option("seriatim.pool-size", String.valueOf(KEPT))
                .url();
        return JdbcSequences.over(
                (JdbcStore) StoreDriver.open(url),
                s -> s.patience(PATIENCE).createMissing(true).closesStore(true));
    }

    private static Map<String, ThrowingCallable> calls(String over, JdbcSequences sequences) throws Exception {
        Sequence combined = sequences.open("combined", Allocation.combined());
        Sequence confirmed = sequences.open("confirmed", Allocation.confirmed());
        GaplessSequence<Connection> gapless = sequences.gapless("gapless");
        GroupedSequence<Connection> grouped = gapless.grouped();
        PooledSequence<Connection> pooled = sequences.gapless("pooled").pooled();
        combined.next();
        confirmed.next();
        grouped.commit(Turn::next);
        sequences.inTransaction(pooled::next);
        Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
        calls.put("COMBINED", combined::next);
        calls.put("CONFIRMED", confirmed::next);
        calls.put("GROUPED", () -> grouped.commit(Turn::next));
        calls.put("POOLED", () -> sequences.inTransaction(pooled::next));
        calls.put("SYNC", () -> sequences.inTransaction(gapless::next));
        calls.put("a new name", () -> sequences.ordered("new"));
        calls.put("define", () -> sequences.define(SequenceDefinition.of("defined")));
        calls.put("describe", () -> sequences.store().describe("gapless"));
        calls.put(RESERVE, () -> sequences.store().reserve("gapless", 1));
        calls.put("raise", () -> sequences.store().raise("gapless", 1_000_000));
        Map<String, ThrowingCallable> named = new LinkedHashMap<>();
        calls.forEach((call, callable) -> named.put(over + ": " + call, callable));
        return named;
    }

    /** Leaves as many idle connections as are kept. */
    private static void occupyAll(JdbcSequences sequences) {
        ExecutorService threads = Executors.newFixedThreadPool(KEPT);
        CountDownLatch all = new CountDownLatch(KEPT);
        Stream.generate(() -> threads.submit(() -> sequences.<Boolean, Exception>inTransaction(connection -> {
                    all.countDown();
                    return all.await(20, TimeUnit.SECONDS);
                })))
                .limit(KEPT)
                .toList()
                .forEach(occupied -> assertThat(result(occupied)).isEqualTo(true));
        threads.shutdown();
    }

    private static Map<String, Throwable> allAtOnce(Map<String, ThrowingCallable> calls) {
        ExecutorService threads = Executors.newFixedThreadPool(calls.size());
        Map<String, Future<Throwable>> running = new LinkedHashMap<>();
        calls.forEach((name, call) -> running.put(name, threads.submit(() -> timed(name, call))));
        Map<String, Throwable> thrown = new LinkedHashMap<>();
        running.forEach((name, call) -> thrown.put(name, result(call)));
        threads.shutdown();
        return thrown;
    }

    private static Throwable timed(String name, ThrowingCallable call) {
        long began = System.nanoTime();
        Throwable thrown = catchThrowable(call);
        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .as(name + ", which threw " + thrown)
                .isLessThan(name.endsWith(RESERVE) ? LONGEST.plus(PATIENCE) : LONGEST);
        return thrown;
    }

    private static <R> R result(Future<R> future) {
        try {
            return future.get(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(
                    e.getCause() == null ? e.toString() : e.getCause().getMessage(), e);
        }
    }

    private static void untilItWorks(ThrowingCallable call) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        for (Throwable thrown = catchThrowable(call); thrown != null; thrown = catchThrowable(call)) {
            assertThat(System.nanoTime()).as(thrown.toString()).isLessThan(deadline);
        }
    }
}
