// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.benchmarks.entities;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.benchmarks.entities.Rows.Row;
import dev.seriatim.benchmarks.entities.Rows.WithCosId;
import dev.seriatim.benchmarks.entities.Rows.WithIdentity;
import dev.seriatim.benchmarks.entities.Rows.WithPooledSequence;
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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.sql.DataSource;
import me.ahoo.cosid.segment.IdSegment;
import me.ahoo.cosid.segment.SegmentChainId;
import me.ahoo.cosid.segment.concurrent.PrefetchWorkerExecutorService;

/**
 * Persists entities through Hibernate's {@code EntityManager} with JDBC batches of 50, with each generator of
 * identifiers. The generators take turns; the table that it prints has medians of the rounds.
 *
 * <p>Arguments: URL with the account, entities in a round, rounds, threads, the delay of each refill in milliseconds, and
 * the beginning of the names of the generators to compare with a delay (by default all). The URL should let the driver rewrite
 * batches. Tables whose names begin with {@code row_} are dropped and created.
 *
 * <p>If refills are delayed, each generator persists twice in a round, without and with the delay, and Hibernate's
 * {@code PooledOptimizer} takes part, too. IDENTITY has no refills, so its two rates differ by chance only.
 *
 * <p>Seriatim and CosId each reserve through two connections of their own; Hibernate's generators reserve through the
 * pool that persists, which has two connections more than there are threads. CosId is its recommended generator,
 * {@code SegmentChainId}, with the defaults of its starter, over {@link CosIdTable}.
 */
public final class EntityInserts {

    private static final int BATCH = 50;
    private static final int PER_TRANSACTION = 1000;

    private final DataSource source;
    private final EntityManagerFactory factory;
    private final JdbcSequences sequences;
    private final PrefetchWorkerExecutorService prefetch;
    private final RefillDelay delay;
    private final int threads;
    private final Map<String, Supplier<Row>> generators = new LinkedHashMap<>();

    private EntityInserts(DataSource pool, DataSource ours, DataSource cosIds, int threads, RefillDelay delay)
            throws SQLException {
        source = SlowRefills.of(pool, delay);
        this.delay = delay;
        this.threads = threads;
        generators.put("Seriatim, unique", WithSeriatim::new);
        generators.put("CosId's chain, our JDBC", WithCosId::new);
        generators.put("SEQUENCE, pooled-lo 50", WithSequence::new);
        if (delay.isPossible()) {
            generators.put("SEQUENCE, pooled 50", WithPooledSequence::new);
        }
        generators.put("TABLE, pooled-lo 50", WithTable::new);
        generators.put("IDENTITY", WithIdentity::new);
        sequences = JdbcSequences.keeping(SlowRefills.of(ours, delay), 2, settings -> {});
        prefetch = new PrefetchWorkerExecutorService(
                PrefetchWorkerExecutorService.DEFAULT_PREFETCH_PERIOD,
                Runtime.getRuntime().availableProcessors(),
                false);
        SegmentChainId chain = new SegmentChainId(
                IdSegment.TIME_TO_LIVE_FOREVER,
                SegmentChainId.DEFAULT_SAFE_DISTANCE,
                new CosIdTable(SlowRefills.of(cosIds, delay)),
                prefetch);
        factory = new PersistenceConfiguration("rows")
                .managedClass(WithIdentity.class)
                .managedClass(WithTable.class)
                .managedClass(WithSequence.class)
                .managedClass(WithPooledSequence.class)
                .managedClass(WithCosId.class)
                .managedClass(WithSeriatim.class)
                .property("hibernate.connection.datasource", source)
                .property("hibernate.jdbc.batch_size", BATCH)
                .property("hibernate.order_inserts", true)
                .property("hibernate.id.optimizer.pooled.preferred", "pooled-lo")
                .property("hibernate.hbm2ddl.auto", "create")
                .property("seriatim.sequences", sequences)
                .property(CosIdIdGenerator.GENERATOR, chain)
                .createEntityManagerFactory();
    }

    /** Runs with the given arguments. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length < 1) {
            System.err.println("arguments: URL [ENTITIES [ROUNDS [THREADS [REFILL_MILLIS [GENERATOR]]]]]");
            System.exit(2);
        }
        System.setProperty("org.jboss.logging.provider", "slf4j"); // which is silent here
        int entities = argument(arguments, 1, 100_000);
        int rounds = argument(arguments, 2, 5);
        int threads = argument(arguments, 3, 1);
        RefillDelay delay = new RefillDelay(Duration.ofMillis(argument(arguments, 4, 0)));
        try (HikariDataSource pool = pool(arguments[0], threads + 2);
                HikariDataSource ours = pool(arguments[0], 2);
                HikariDataSource cosIds = pool(arguments[0], 2)) {
            EntityInserts inserts = new EntityInserts(pool, ours, cosIds, threads, delay);
            try {
                System.out.printf(
                        Locale.ROOT,
                        "%,d entities, %d threads, refills %d ms longer; medians of %d rounds%n%n",
                        entities,
                        threads,
                        delay.length().toMillis(),
                        rounds);
                if (delay.isPossible()) {
                    String beginning = arguments.length > 5 ? arguments[5] : "";
                    inserts.generators.keySet().removeIf(name -> !name.startsWith(beginning));
                    inserts.compareRefills(entities, rounds);
                } else {
                    inserts.compareGenerators(entities, rounds);
                }
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

    private void compareGenerators(int entities, int rounds) throws Exception {
        warmUp(entities);
        Map<String, double[]> rates = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (Map.Entry<String, Supplier<Row>> generator : generators.entrySet()) {
                double rate = rate(generator.getValue(), entities);
                rates.computeIfAbsent(generator.getKey(), name -> new double[rounds])[round] = rate;
            }
        }
        print(rates);
    }

    /** Compares each generator with itself: without and with the delay, in turn first and second. */
    private void compareRefills(int entities, int rounds) throws Exception {
        warmUp(entities);
        Map<String, Refills> all = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (Map.Entry<String, Supplier<Row>> generator : generators.entrySet()) {
                Refills refills = all.computeIfAbsent(generator.getKey(), name -> new Refills(rounds));
                for (boolean slow : round % 2 == 0 ? new boolean[] {false, true} : new boolean[] {true, false}) {
                    long before = delay.delayed();
                    delay.set(slow);
                    (slow ? refills.with : refills.without)[round] = rate(generator.getValue(), entities);
                    delay.set(false);
                    refills.delayed += delay.delayed() - before;
                }
            }
        }
        print(all, rounds);
    }

    private void warmUp(int entities) throws InterruptedException, ExecutionException {
        for (Supplier<Row> generator : generators.values()) {
            persist(generator, entities / 5);
        }
    }

    /** Returns the number of entities persisted in a second. */
    private double rate(Supplier<Row> rows, int entities) throws Exception {
        empty();
        long began = System.nanoTime();
        persist(rows, entities);
        return entities / ((System.nanoTime() - began) / (double) TimeUnit.SECONDS.toNanos(1));
    }

    private void empty() throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            for (String table :
                    List.of("row_identity", "row_table", "row_sequence", "row_pooled", "row_cosid", "row_seriatim")) {
                statement.execute("TRUNCATE TABLE " + table);
            }
        }
    }

    private void persist(Supplier<Row> rows, int entities) throws InterruptedException, ExecutionException {
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                all.add(callers.submit(() -> persistAlone(rows, entities / threads)));
            }
            for (Future<?> each : all) {
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

    private static void print(Map<String, double[]> rates) {
        System.out.println("| generator | entities/s | lowest | highest | Seriatim is |");
        System.out.println("|---|---|---|---|---|");
        double ours = median(rates.values().iterator().next());
        rates.forEach((name, all) -> {
            double[] sorted = all.clone();
            Arrays.sort(sorted);
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %,.0f | %,.0f | %,.0f | %.2f × |%n",
                    name,
                    median(all),
                    sorted[0],
                    sorted[sorted.length - 1],
                    ours / median(all));
        });
    }

    private static void print(Map<String, Refills> all, int rounds) {
        System.out.println("| generator | entities/s | with slow refills | with / without | lowest | highest | slow |");
        System.out.println("|---|---|---|---|---|---|---|");
        all.forEach((name, refills) -> {
            double[] ratios = new double[rounds];
            Arrays.setAll(ratios, round -> refills.with[round] / refills.without[round]);
            Arrays.sort(ratios);
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %,.0f | %,.0f | %.2f | %.2f | %.2f | %,d |%n",
                    name,
                    median(refills.without),
                    median(refills.with),
                    median(ratios),
                    ratios[0],
                    ratios[rounds - 1],
                    refills.delayed / rounds);
        });
        System.out.printf("%nlowest, highest: with / without in one round; slow: delayed refills in a round%n");
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** The rates of a generator in each round. */
    private static final class Refills {
        final double[] without;
        final double[] with;
        long delayed;

        Refills(int rounds) {
            without = new double[rounds];
            with = new double[rounds];
        }
    }
}
