// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.benchmarks.entities;

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
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
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
        int id;

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

    private LateNumbers() {}

    /** Runs with the given arguments. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 4) {
            System.err.println("arguments: URL SALES ROUNDS THREADS");
            System.exit(2);
        }
        System.setProperty("org.jboss.logging.provider", "slf4j"); // which is silent here
        int threads = Integer.parseInt(arguments[3]);
        try (HikariDataSource pool = EntityInserts.pool(arguments[0], threads + 2);
                JdbcSequences sequences = JdbcSequences.keeping(pool, 2, settings -> {});
                SessionFactory factory = new PersistenceConfiguration("sales")
                        .managedClass(WithSeriatim.class)
                        .managedClass(ByHand.class)
                        .property("hibernate.connection.datasource", pool)
                        .property("hibernate.jdbc.batch_size", 50)
                        .property("hibernate.hbm2ddl.auto", "create")
                        .property("seriatim.sequences", sequences)
                        .createEntityManagerFactory()
                        .unwrap(SessionFactory.class)) {
            GaplessSequence<Connection> numbers = sequences.gapless("sale_by_hand_number");
            List<ObjIntConsumer<Session>> ways = List.of(
                    (session, id) -> session.find(WithSeriatim.class, id).status = "ISSUED",
                    (session, id) -> {
                        ByHand sale = session.find(ByHand.class, id);
                        session.refresh(sale, LockModeType.PESSIMISTIC_WRITE);
                        issue(session, sale, numbers);
                    },
                    (session, id) ->
                            issue(session, session.find(ByHand.class, id, LockModeType.PESSIMISTIC_WRITE), numbers));
            int sales = Integer.parseInt(arguments[1]);
            int rounds = Integer.parseInt(arguments[2]);
            double[][] rates = new double[ways.size()][rounds];
            for (int round = -Math.max(2, rounds / 4); round < rounds; round++) { // negative: warm-up
                for (int turn = 0; turn < rates.length; turn++) {
                    int way = Math.floorMod(round + turn, rates.length);
                    int from = (round * rates.length + turn) * sales;
                    factory.inTransaction(session -> IntStream.range(from, from + sales)
                            .forEach(id -> session.persist(draft(way == 0 ? new WithSeriatim() : new ByHand(), id))));
                    double rate = rate(factory, ways.get(way), from, sales, threads);
                    rates[way][Math.max(round, 0)] = rate; // the first measured round replaces the warm-ups
                }
            }
            System.out.printf(
                    Locale.ROOT,
                    """
                    %d threads: %,.0f sales/s; by hand %,.0f (%.2f); in four statements %,.0f (%.2f)%n""",
                    threads,
                    EntityInserts.median(rates[0]),
                    EntityInserts.median(rates[1]),
                    ratio(rates[0], rates[1]),
                    EntityInserts.median(rates[2]),
                    ratio(rates[0], rates[2]));
        }
    }

    private static Sale draft(Sale sale, int id) {
        sale.id = id;
        return sale;
    }

    private static void issue(Session session, ByHand sale, GaplessSequence<Connection> numbers) {
        if (sale.number == null) {
            sale.number = session.doReturningWork(numbers::next);
        }
        sale.status = "ISSUED";
    }

    private static double ratio(double[] rates, double[] others) {
        return EntityInserts.median(IntStream.range(0, rates.length)
                .mapToDouble(round -> rates[round] / others[round])
                .toArray());
    }

    /** Returns the number of drafts that are issued in a second. */
    private static double rate(SessionFactory factory, ObjIntConsumer<Session> way, int from, int sales, int threads)
            throws Exception {
        AtomicInteger next = new AtomicInteger(from);
        long began = System.nanoTime();
        EntityInserts.run(threads, () -> {
            for (int id = next.getAndIncrement(); id < from + sales; id = next.getAndIncrement()) {
                int own = id;
                factory.inTransaction(session -> way.accept(session, own));
            }
        });
        return sales * (double) TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - began);
    }
}
