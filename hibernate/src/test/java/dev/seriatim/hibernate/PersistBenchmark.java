// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import jakarta.persistence.TableGenerator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.hibernate.SessionFactory;

/**
 * Measures how fast entities are persisted with each way to generate their identifiers, and prints a Markdown table of
 * the medians. The rows take turns in each round. Arguments: entities per run (100,000), rounds (5).
 */
final class PersistBenchmark {

    @Entity
    @Table(name = "by_identity")
    static class ByIdentity {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        Long id;

        String text = "a line of text";
    }

    @Entity
    @Table(name = "by_table")
    static class ByTable {
        @Id
        @GeneratedValue(strategy = GenerationType.TABLE, generator = "by_table_ids")
        @TableGenerator(name = "by_table_ids", allocationSize = 50)
        Long id;

        String text = "a line of text";
    }

    @Entity
    @Table(name = "by_sequence")
    static class BySequence {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "by_sequence_ids")
        @SequenceGenerator(name = "by_sequence_ids", allocationSize = 50)
        Long id;

        String text = "a line of text";
    }

    @Entity
    @Table(name = "by_seriatim")
    static class BySeriatim {
        @Id
        @Seriatim
        Long id;

        String text = "a line of text";
    }

    private record Row(String name, Supplier<?> entity, List<Double> rates) {
        Row(String name, Supplier<?> entity) {
            this(name, entity, new ArrayList<>());
        }

        double median() {
            List<Double> sorted = new ArrayList<>(rates);
            Collections.sort(sorted);
            return sorted.get(sorted.size() / 2);
        }
    }

    private PersistBenchmark() {}

    public static void main(String[] args) {
        int entities = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        System.out.println("| identifiers | MariaDB, entities/s | PostgreSQL, entities/s |");
        System.out.println("|---|---|---|");
        List<Row> mariadb =
                measure(Engine.MARIADB.freshDatabase().option("rewriteBatchedStatements", "true"), entities, rounds);
        List<Row> postgresql =
                measure(Engine.POSTGRESQL.freshDatabase().option("reWriteBatchedInserts", "true"), entities, rounds);
        for (int i = 0; i < mariadb.size(); i++) {
            System.out.printf(
                    "| %s | %,.0f | %,.0f |%n",
                    mariadb.get(i).name(),
                    mariadb.get(i).median(),
                    postgresql.get(i).median());
        }
    }

    private static List<Row> measure(Database database, int entities, int rounds) {
        Map<String, Object> settings = Factories.settings(database);
        settings.put("hibernate.id.optimizer.pooled.preferred", "pooled-lo");
        List<Row> rows = List.of(
                new Row("IDENTITY", ByIdentity::new),
                new Row("TABLE, pooled-lo 50", ByTable::new),
                new Row("SEQUENCE, pooled-lo 50", BySequence::new),
                new Row("@Seriatim", BySeriatim::new));
        try (SessionFactory factory =
                Factories.open(settings, ByIdentity.class, ByTable.class, BySequence.class, BySeriatim.class)) {
            rows.forEach(row -> persist(factory, row.entity(), entities / 10)); // warm-up
            for (int round = 0; round < rounds; round++) {
                for (Row row : rows) {
                    long start = System.nanoTime();
                    persist(factory, row.entity(), entities);
                    row.rates().add(entities * 1e9 / (System.nanoTime() - start));
                }
            }
        }
        return rows;
    }

    /** In transactions of 1,000. */
    private static void persist(SessionFactory factory, Supplier<?> entity, int count) {
        for (int done = 0; done < count; done += 1_000) {
            int size = Math.min(1_000, count - done);
            factory.inTransaction(session -> {
                for (int i = 0; i < size; i++) {
                    session.persist(entity.get());
                }
            });
        }
    }
}
