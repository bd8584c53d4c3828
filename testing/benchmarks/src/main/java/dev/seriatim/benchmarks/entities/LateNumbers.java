// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.benchmarks.entities;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.GaplessSequence;
import dev.seriatim.hibernate.SeriatimNumber;
import dev.seriatim.jdbc.JdbcSequences;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.LockModeType;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.PersistenceConfiguration;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;

/**
 * Issues drafts, which numbers them without gaps: by {@code @SeriatimNumber}, and by hand with the same five statements. Both
 * take turns, the first one changes with each round; it prints the medians of the rounds and of their ratios.
 *
 * <p>Arguments: URL with the account, seconds of a turn, rounds, and threads. Tables whose names begin with {@code sale_} are
 * dropped and created.
 */
public final class LateNumbers {

    /** A draft or an issued sale. */
    @MappedSuperclass
    abstract static class Sale {
        @Id
        long id;

        String customer = "a customer with a name of usual length";
        String status = "DRAFT";
    }

    @Entity(name = "sale_seriatim")
    static class WithSeriatim extends Sale {
        @SeriatimNumber(of = "status", when = "ISSUED")
        @Nullable
        Long number;
    }

    @Entity(name = "sale_by_hand")
    static class ByHand extends Sale {
        @Nullable
        Long number;
    }

    /** A way to issue a sale. */
    private interface Issue {
        void of(Session session, long id);
    }

    private final SessionFactory factory;
    private final Map<String, Issue> ways = new TreeMap<>();
    private final AtomicLong ids = new AtomicLong();

    private LateNumbers(HikariDataSource pool, JdbcSequences sequences) {
        factory = new PersistenceConfiguration("sales")
                .managedClass(WithSeriatim.class)
                .managedClass(ByHand.class)
                .property("hibernate.connection.datasource", pool)
                .property("hibernate.jdbc.batch_size", 50)
                .property("hibernate.hbm2ddl.auto", "create")
                .property("seriatim.sequences", sequences)
                .createEntityManagerFactory()
                .unwrap(SessionFactory.class);
        GaplessSequence<Connection> numbers = sequences.gapless("sale_by_hand_number");
        ways.put("sale_seriatim", (session, id) -> session.find(WithSeriatim.class, id).status = "ISSUED");
        ways.put("sale_by_hand", (session, id) -> {
            ByHand sale = session.find(ByHand.class, id);
            session.refresh(sale, LockModeType.PESSIMISTIC_WRITE);
            if (sale.number == null) {
                sale.number = session.doReturningWork(numbers::next);
            }
            sale.status = "ISSUED";
        });
    }

    /** Runs with the given arguments. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 4) {
            System.err.println("arguments: URL SECONDS ROUNDS THREADS");
            System.exit(2);
        }
        System.setProperty("org.jboss.logging.provider", "slf4j"); // which is silent here
        int seconds = Integer.parseInt(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        int threads = Integer.parseInt(arguments[3]);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(arguments[0]);
        config.setMaximumPoolSize(threads + 2);
        try (HikariDataSource pool = new HikariDataSource(config);
                JdbcSequences sequences = JdbcSequences.keeping(pool, 2, settings -> {})) {
            LateNumbers sales = new LateNumbers(pool, sequences);
            try (SessionFactory opened = sales.factory) {
                sales.compare(pool, seconds, rounds, threads);
            }
        }
    }

    private void compare(HikariDataSource pool, int seconds, int rounds, int threads) throws Exception {
        double[] ours = new double[rounds];
        double[] byHand = new double[rounds];
        double[] ratios = new double[rounds];
        for (int round = -1; round < rounds; round++) { // the first warms up
            Map<String, Double> rates = new TreeMap<>();
            List<String> turns = new ArrayList<>(ways.keySet());
            for (int turn = 0; turn < turns.size(); turn++) {
                String way = turns.get((turn + Math.max(round, 0)) % turns.size());
                rates.put(way, rate(pool, way, seconds, threads));
            }
            if (round >= 0) {
                ours[round] = rates.get("sale_seriatim");
                byHand[round] = rates.get("sale_by_hand");
                ratios[round] = ours[round] / byHand[round];
            }
        }
        System.out.println("| threads | sales/s | by hand | ratio | lowest | highest |");
        System.out.println("|---|---|---|---|---|---|");
        Arrays.sort(ratios);
        System.out.printf(
                Locale.ROOT,
                "| %d | %,.0f | %,.0f | %.2f | %.2f | %.2f |%n",
                threads,
                median(ours),
                median(byHand),
                median(ratios),
                ratios[0],
                ratios[rounds - 1]);
    }

    private static double median(double[] figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** Returns the number of drafts issued in a second. */
    private double rate(HikariDataSource pool, String way, int seconds, int threads) throws Exception {
        long first = ids.get() + 1;
        ids.addAndGet(2000L * seconds);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("TRUNCATE TABLE " + way);
            connection.setAutoCommit(false);
            for (long id = first; id <= ids.get(); id++) {
                statement.addBatch(
                        "INSERT INTO " + way + " (id, customer, status) VALUES (" + id + ", 'a customer', 'DRAFT')");
            }
            statement.executeBatch();
            connection.commit();
        }
        AtomicLong next = new AtomicLong(first);
        long began = System.nanoTime();
        long end = began + TimeUnit.SECONDS.toNanos(seconds);
        Callable<?> caller = () -> {
            while (System.nanoTime() < end && next.get() <= ids.get()) {
                long id = next.getAndIncrement();
                factory.inTransaction(session -> ways.get(way).of(session, id));
            }
            return null;
        };
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Object>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                all.add(caller::call);
            }
            for (Future<Object> each : callers.invokeAll(all)) {
                each.get();
            }
        } finally {
            callers.shutdownNow();
        }
        return (next.get() - first) / ((System.nanoTime() - began) / (double) TimeUnit.SECONDS.toNanos(1));
    }
}
