// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.benchmarks.entities;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.benchmarks.entities.Rows.Row;
import dev.seriatim.benchmarks.entities.Rows.WithCosId;
import dev.seriatim.benchmarks.entities.Rows.WithIdentity;
import dev.seriatim.benchmarks.entities.Rows.WithSequence;
import dev.seriatim.benchmarks.entities.Rows.WithSeriatim;
import dev.seriatim.benchmarks.entities.Rows.WithTable;
import dev.seriatim.jdbc.JdbcSequences;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import javax.sql.DataSource;
import me.ahoo.cosid.segment.IdSegment;
import me.ahoo.cosid.segment.SegmentChainId;
import me.ahoo.cosid.segment.concurrent.PrefetchWorkerExecutorService;

/**
 * Persists entities through Hibernate's {@code EntityManager} with JDBC batches of 50, with each generator of identifiers in turn;
 * prints medians of the rounds.
 *
 * <p>Arguments: URL with the account, entities in a round, rounds, threads, and the delay of each refill in milliseconds. The URL should
 * let the driver rewrite batches. Tables whose names begin with {@code row_} are dropped and created.
 *
 * <p>If refills are delayed, each generator persists twice in a round, without and with the delay. IDENTITY has no refills, so its two
 * rates differ by chance only. Seriatim and CosId's {@code SegmentChainId} each reserve through two connections of their own;
 * Hibernate's generators reserve through the pool that persists, which has two connections more than there are threads.
 */
public final class EntityInserts {

    private static final int BATCH = 50;
    private static final int PER_TRANSACTION = 1000;

    private final DataSource source;
    private final EntityManagerFactory factory;
    private final JdbcSequences sequences;
    private final PrefetchWorkerExecutorService prefetch;
    private final SlowRefills slow;
    private final int threads;
    private final Map<String, Supplier<Row>> generators = new LinkedHashMap<>();

    private EntityInserts(DataSource pool, DataSource ours, DataSource cosIds, int threads, SlowRefills slow)
            throws SQLException {
        source = slow.of(pool);
        this.slow = slow;
        this.threads = threads;
        sequences = JdbcSequences.keeping(slow.of(ours), 2, settings -> {});
        prefetch = new PrefetchWorkerExecutorService(
                PrefetchWorkerExecutorService.DEFAULT_PREFETCH_PERIOD,
                Runtime.getRuntime().availableProcessors(),
                false);
        SegmentChainId chain = new SegmentChainId(
                IdSegment.TIME_TO_LIVE_FOREVER,
                SegmentChainId.DEFAULT_SAFE_DISTANCE,
                new CosIdTable(slow.of(cosIds)),
                prefetch);
        generators.put("Seriatim, unique", WithSeriatim::new);
        generators.put("CosId's chain, our JDBC", () -> new WithCosId(chain.generate()));
        generators.put("SEQUENCE, pooled-lo 50", WithSequence::new);
        generators.put("TABLE, pooled-lo 50", WithTable::new);
        generators.put("IDENTITY", WithIdentity::new);
        factory = new PersistenceConfiguration("rows")
                .managedClass(WithIdentity.class)
                .managedClass(WithTable.class)
                .managedClass(WithSequence.class)
                .managedClass(WithCosId.class)
                .managedClass(WithSeriatim.class)
                .property("hibernate.connection.datasource", source)
                .property("hibernate.jdbc.batch_size", BATCH)
                .property("hibernate.order_inserts", true)
                .property("hibernate.id.optimizer.pooled.preferred", "pooled-lo")
                .property("hibernate.hbm2ddl.auto", "create")
                .property("seriatim.sequences", sequences)
                .createEntityManagerFactory();
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length < 1) {
            System.err.println("arguments: URL [ENTITIES [ROUNDS [THREADS [REFILL_MILLIS]]]]");
            System.exit(2);
        }
        System.setProperty("org.jboss.logging.provider", "slf4j"); // which is silent here
        int entities = argument(arguments, 1, 100_000);
        int rounds = argument(arguments, 2, 5);
        int threads = argument(arguments, 3, 1);
        int delay = argument(arguments, 4, 0);
        try (HikariDataSource pool = pool(arguments[0], threads + 2);
                HikariDataSource ours = pool(arguments[0], 2);
                HikariDataSource cosIds = pool(arguments[0], 2)) {
            SlowRefills slow = new SlowRefills(Duration.ofMillis(delay));
            EntityInserts inserts = new EntityInserts(pool, ours, cosIds, threads, slow);
            try {
                System.out.printf(
                        Locale.ROOT,
                        "%,d entities, %d threads, refills %d ms longer; medians of %d rounds%n%n",
                        entities,
                        threads,
                        delay,
                        rounds);
                inserts.compare(entities, rounds);
            } finally {
                inserts.factory.close();
                inserts.sequences.close();
                inserts.prefetch.shutdown();
            }
        }
    }

    private static int argument(String[] arguments, int place, int otherwise) {
        return arguments.length > place ? Integer.parseInt(arguments[place]) : otherwise;
    }

    private static HikariDataSource pool(String url, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
    }

    /** Compares the generators, or each with itself: without and with the delay, in turn first and second. */
    private void compare(int entities, int rounds) throws Exception {
        for (Supplier<Row> generator : generators.values()) {
            persist(generator, entities / 5); // warms up
        }
        Map<String, List<Round>> all = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            boolean slowFirst = slow.arePossible() && round % 2 == 1;
            for (Map.Entry<String, Supplier<Row>> generator : generators.entrySet()) {
                long delayed = slow.delayed();
                double first = rate(generator.getValue(), entities, slowFirst);
                double second = slow.arePossible() ? rate(generator.getValue(), entities, !slowFirst) : Double.NaN;
                all.computeIfAbsent(generator.getKey(), name -> new ArrayList<>())
                        .add(new Round(
                                slowFirst ? second : first, slowFirst ? first : second, slow.delayed() - delayed));
            }
        }
        if (slow.arePossible()) {
            printRefills(all);
        } else {
            printGenerators(all);
        }
    }

    /** Returns the number of entities persisted in a second. */
    private double rate(Supplier<Row> rows, int entities, boolean slowly) throws Exception {
        empty();
        slow.set(slowly);
        long began = System.nanoTime();
        persist(rows, entities);
        double seconds = (System.nanoTime() - began) / (double) TimeUnit.SECONDS.toNanos(1);
        slow.set(false);
        return entities / seconds;
    }

    private void empty() throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            for (String table : List.of("row_identity", "row_table", "row_sequence", "row_cosid", "row_seriatim")) {
                statement.execute("TRUNCATE TABLE " + table);
            }
        }
    }

    private void persist(Supplier<Row> rows, int entities) throws InterruptedException, ExecutionException {
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        try {
            Callable<?> caller = Executors.callable(() -> persistAlone(rows, entities / threads));
            for (Future<?> each : callers.invokeAll(Collections.nCopies(threads, caller))) {
                each.get();
            }
        } finally {
            callers.shutdownNow();
        }
    }

    private void persistAlone(Supplier<Row> rows, int entities) {
        for (int done = 0; done < entities; done += PER_TRANSACTION) {
            int most = Math.min(PER_TRANSACTION, entities - done);
            factory.runInTransaction(entityManager -> persist(entityManager, rows, most));
        }
    }

    private static void persist(EntityManager entityManager, Supplier<Row> rows, int entities) {
        for (int i = 1; i <= entities; i++) {
            entityManager.persist(rows.get());
            if (i % BATCH == 0) {
                entityManager.flush();
                entityManager.clear();
            }
        }
    }

    private static void printGenerators(Map<String, List<Round>> all) {
        System.out.println("| generator | entities/s | lowest | highest | Seriatim is |");
        System.out.println("|---|---|---|---|---|");
        double ours = median(sorted(all.values().iterator().next(), Round::rate));
        all.forEach((name, rounds) -> {
            double[] rates = sorted(rounds, Round::rate);
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %,.0f | %,.0f | %,.0f | %.2f × |%n",
                    name,
                    median(rates),
                    rates[0],
                    rates[rates.length - 1],
                    ours / median(rates));
        });
    }

    private static void printRefills(Map<String, List<Round>> all) {
        System.out.println("| generator | entities/s | with slow refills | with / without | lowest | highest | slow |");
        System.out.println("|---|---|---|---|---|---|---|");
        all.forEach((name, rounds) -> {
            double[] ratios = sorted(rounds, round -> round.slowRate() / round.rate());
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %,.0f | %,.0f | %.2f | %.2f | %.2f | %,d |%n",
                    name,
                    median(sorted(rounds, Round::rate)),
                    median(sorted(rounds, Round::slowRate)),
                    median(ratios),
                    ratios[0],
                    ratios[ratios.length - 1],
                    rounds.stream().mapToLong(Round::delayed).sum() / rounds.size());
        });
        System.out.printf("%nlowest, highest: with / without in one round; slow: delayed refills in a round%n");
    }

    private static double[] sorted(List<Round> rounds, ToDoubleFunction<Round> figure) {
        return rounds.stream().mapToDouble(figure).sorted().toArray();
    }

    private static double median(double[] sorted) {
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** Entities in a second, the same with slow refills (not a number if not measured), and the number of slow refills. */
    private record Round(double rate, double slowRate, long delayed) {}
}
