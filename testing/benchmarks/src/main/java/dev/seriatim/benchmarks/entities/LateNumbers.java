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
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.DoubleStream;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;

/**
 * Issues drafts in transactions of their own, which numbers them without gaps: by {@code @SeriatimNumber}, and by hand, with the same
 * five statements and with four. The three take turns within each round. It prints the medians of the rounds and of their ratios.
 *
 * <p>Arguments: URL with the account, sales in a turn, rounds, and threads. Tables whose names begin with {@code sale_} are dropped and
 * created.
 */
public final class LateNumbers {

    /** A draft or an issued sale. */
    @MappedSuperclass
    abstract static class Sale {
        @Id
        @Nullable
        Integer id;

        String customer = "a customer";
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

    /** A way to issue a draft. */
    private interface Issue {
        void run(Session session, int id);
    }

    private final SessionFactory factory;
    private final ExecutorService callers;
    private final int threads;
    private final List<Issue> ways;

    private LateNumbers(HikariDataSource pool, JdbcSequences sequences, int threads) {
        factory = new PersistenceConfiguration("sales")
                .managedClass(WithSeriatim.class)
                .managedClass(ByHand.class)
                .property("hibernate.connection.datasource", pool)
                .property("hibernate.jdbc.batch_size", 50)
                .property("hibernate.hbm2ddl.auto", "create")
                .property("seriatim.sequences", sequences)
                .createEntityManagerFactory()
                .unwrap(SessionFactory.class);
        this.threads = threads;
        callers = Executors.newFixedThreadPool(threads);
        GaplessSequence<Connection> numbers = sequences.gapless("sale_by_hand_number");
        ways = List.of(
                (session, id) -> session.find(WithSeriatim.class, id).status = "ISSUED",
                (session, id) -> {
                    ByHand sale = session.find(ByHand.class, id);
                    session.refresh(sale, LockModeType.PESSIMISTIC_WRITE);
                    issue(session, sale, numbers);
                },
                (session, id) ->
                        issue(session, session.find(ByHand.class, id, LockModeType.PESSIMISTIC_WRITE), numbers));
    }

    private static void issue(Session session, ByHand sale, GaplessSequence<Connection> numbers) {
        if (sale.number == null) {
            sale.number = session.doReturningWork(numbers::next);
        }
        sale.status = "ISSUED";
    }

    /** Runs with the given arguments. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 4) {
            System.err.println("arguments: URL SALES ROUNDS THREADS");
            System.exit(2);
        }
        System.setProperty("org.jboss.logging.provider", "slf4j"); // which is silent here
        int threads = Integer.parseInt(arguments[3]);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(arguments[0]);
        config.setMaximumPoolSize(threads + 2);
        try (HikariDataSource pool = new HikariDataSource(config);
                JdbcSequences sequences = JdbcSequences.keeping(pool, 2, settings -> {})) {
            LateNumbers sales = new LateNumbers(pool, sequences, threads);
            try {
                sales.compare(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
            } finally {
                sales.callers.shutdownNow();
                sales.factory.close();
            }
        }
    }

    private void compare(int sales, int rounds) throws Exception {
        int warmUps = Math.max(2, rounds / 4);
        double[][] rates = new double[ways.size()][rounds];
        int id = 0;
        for (int round = -warmUps; round < rounds; round++) {
            for (int turn = 0; turn < rates.length; turn++) {
                int way = Math.floorMod(round + turn, rates.length);
                double rate = rate(ways.get(way), id, sales, way == 0 ? WithSeriatim::new : ByHand::new);
                rates[way][Math.max(round, 0)] = rate; // the first measured round replaces the warm-ups
                id += sales;
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%d threads: %,.0f sales/s; by hand %,.0f (%.2f); in four statements %,.0f (%.2f)%n",
                threads,
                median(rates[0]),
                median(rates[1]),
                ratio(rates[0], rates[1]),
                median(rates[2]),
                ratio(rates[0], rates[2]));
    }

    private static double ratio(double[] rates, double[] others) {
        double[] ratios = new double[rates.length];
        for (int i = 0; i < rates.length; i++) {
            ratios[i] = rates[i] / others[i];
        }
        return median(ratios);
    }

    private static double median(double[] figures) {
        double[] sorted = DoubleStream.of(figures).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** Makes drafts, and returns the number of them that are issued in a second. */
    private double rate(Issue way, int from, int sales, Callable<Sale> draft) throws Exception {
        try (Session session = factory.openSession()) {
            session.beginTransaction();
            for (int id = from; id < from + sales; id++) {
                Sale sale = draft.call();
                sale.id = id;
                session.persist(sale);
            }
            session.getTransaction().commit();
        }
        AtomicInteger next = new AtomicInteger(from);
        Callable<Void> caller = () -> {
            for (int id = next.getAndIncrement(); id < from + sales; id = next.getAndIncrement()) {
                int own = id;
                factory.inTransaction(session -> way.run(session, own));
            }
            return null;
        };
        long began = System.nanoTime();
        for (Future<Void> each : callers.invokeAll(Collections.nCopies(threads, caller))) {
            each.get();
        }
        return sales * (double) TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - began);
    }
}
