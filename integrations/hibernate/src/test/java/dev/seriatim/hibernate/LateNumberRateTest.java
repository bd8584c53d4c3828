// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.GaplessSequence;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.servers.Engine;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.LockModeType;
import jakarta.persistence.MappedSuperclass;
import java.sql.Connection;
import java.util.Collections;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ObjIntConsumer;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Issues drafts, numbered by the annotation and by hand in turn, with the same statements. */
@Tag("long")
@Isolated("compares rates")
class LateNumberRateTest {

    private static final int SALES = 1_500;
    private static final int ROUNDS = 8;
    private static final int WARM_UPS = 2;

    @MappedSuperclass
    abstract static class Sale {
        @Id
        int id;

        String customer = "a customer";
        String status = "DRAFT";
    }

    @Entity(name = "sale_annotated")
    static class Annotated extends Sale {
        @SeriatimNumber(of = "status", when = "ISSUED")
        @Nullable
        Long number;
    }

    @Entity(name = "sale_by_hand")
    static class ByHand extends Sale {
        @Nullable
        Long number;
    }

    @ParameterizedTest
    @CsvSource({"POSTGRESQL, 1", "POSTGRESQL, 16", "MARIADB, 1", "MARIADB, 16"})
    void the_annotation_is_as_fast_as_the_same_work_by_hand(Engine engine, int threads) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setDataSource(engine.freshDatabase().dataSource());
        config.setMaximumPoolSize(threads + 2);
        Configuration configuration = new Configuration()
                .addAnnotatedClass(Annotated.class)
                .addAnnotatedClass(ByHand.class)
                .setProperty("hibernate.jdbc.batch_size", "50")
                .setProperty("hibernate.hbm2ddl.auto", "create");
        try (HikariDataSource pool = new HikariDataSource(config);
                JdbcSequences sequences = JdbcSequences.open(pool)) {
            configuration.getProperties().put("hibernate.connection.datasource", pool);
            configuration.getProperties().put("seriatim.sequences", sequences);
            try (SessionFactory factory = configuration.buildSessionFactory()) {
                compare(engine + " " + threads, factory, sequences.gapless("by_hand"), threads);
            }
        }
    }

    private static void compare(String title, SessionFactory factory, GaplessSequence<Connection> numbers, int threads)
            throws Exception {
        ObjIntConsumer<Session> annotated = (session, id) -> session.find(Annotated.class, id).status = "ISSUED";
        ObjIntConsumer<Session> byHand = (session, id) -> {
            ByHand sale = session.find(ByHand.class, id);
            session.refresh(sale, LockModeType.PESSIMISTIC_WRITE);
            if (sale.number == null) {
                sale.number = session.doReturningWork(numbers::next);
            }
            sale.status = "ISSUED";
        };
        double[][] rates = new double[2][ROUNDS];
        for (int round = -WARM_UPS; round < ROUNDS; round++) {
            for (int turn = 0; turn < 2; turn++) {
                int way = Math.floorMod(round + turn, 2);
                int from = (round * 2 + turn) * SALES;
                factory.inTransaction(session -> IntStream.range(from, from + SALES)
                        .forEach(id -> session.persist(draft(way == 0 ? new Annotated() : new ByHand(), id))));
                double rate = rate(factory, way == 0 ? annotated : byHand, from, threads);
                rates[way][Math.max(round, 0)] = rate; // the first measured round replaces the warm-ups
            }
        }
        double ratio = median(IntStream.range(0, ROUNDS).mapToDouble(round -> rates[0][round] / rates[1][round]));
        String result = String.format(
                Locale.ROOT,
                "%s: %,.0f sales/s, by hand %,.0f, ratio %.2f",
                title,
                median(DoubleStream.of(rates[0])),
                median(DoubleStream.of(rates[1])),
                ratio);
        System.out.println(result);
        assertThat(ratio).as(result).isGreaterThan(0.8); // far below, so that a busy machine passes
    }

    private static Sale draft(Sale sale, int id) {
        sale.id = id;
        return sale;
    }

    /** Returns the number of drafts that are issued in a second. */
    private static double rate(SessionFactory factory, ObjIntConsumer<Session> way, int from, int threads)
            throws Exception {
        AtomicInteger next = new AtomicInteger(from);
        Callable<?> caller = Executors.callable(() -> {
            for (int id = next.getAndIncrement(); id < from + SALES; id = next.getAndIncrement()) {
                int own = id;
                factory.inTransaction(session -> way.accept(session, own));
            }
        });
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        try {
            long began = System.nanoTime();
            for (Future<?> each : callers.invokeAll(Collections.nCopies(threads, caller))) {
                each.get();
            }
            return SALES * (double) TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - began);
        } finally {
            callers.shutdownNow();
        }
    }

    private static double median(DoubleStream figures) {
        double[] sorted = figures.sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
