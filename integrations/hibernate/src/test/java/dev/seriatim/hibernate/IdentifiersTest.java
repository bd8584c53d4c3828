// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hibernate.SessionFactory;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Identifiers: types, guarantees, names, factories side by side. */
class IdentifiersTest {

    @Entity
    @Table(name = "orders")
    static class Order {
        @Id
        @Seriatim
        Long id;
    }

    @Entity
    @Table(name = "ticket")
    static class Ticket {
        @Id
        @Seriatim(value = "tickets", guarantee = Guarantee.ORDERED)
        long id;
    }

    @Entity
    @Table(name = "small")
    static class Small {
        @Id
        @Seriatim
        int id;
    }

    @Entity
    @Table(name = "big")
    static class Big {
        @Id
        @Seriatim
        BigInteger id;
    }

    @Entity
    @Table(name = "text")
    static class Text {
        @Id
        @Seriatim(pattern = "ORD-{seq:4}")
        String id;
    }

    @Entity
    @Table(name = "spread")
    static class Spread {
        @Id
        @Seriatim(bitReversed = true)
        long id;
    }

    @Entity
    @Table(name = "batched")
    static class Batched {
        @Id
        @Seriatim(mode = "BATCH")
        Long id;
    }

    @Entity
    @Table(name = "combined")
    static class Combined {
        @Id
        @Seriatim(mode = "COMBINED", guarantee = Guarantee.ORDERED)
        Long id;
    }

    @MappedSuperclass
    abstract static class Base<T> {
        @Id
        @Seriatim
        T id;
    }

    @Entity
    @Table(name = "car")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Car extends Base<Long> {}

    @Entity
    @Table(name = "van")
    static class Van extends Car {}

    @Entity
    @Table(name = "bike", schema = "public")
    static class Bike extends Base<Integer> {}

    @Embeddable
    static class Key implements Serializable {
        private static final long serialVersionUID = 1L;

        @Seriatim(guarantee = Guarantee.GAPLESS)
        @Nullable
        Long no;

        String region = "r";

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && Objects.equals(no, key.no) && region.equals(key.region);
        }

        @Override
        public int hashCode() {
            return Objects.hash(no, region);
        }
    }

    @Entity
    @Table(name = "embedding")
    static class Embedding {
        @EmbeddedId
        Key key = new Key();
    }

    static class PartId implements Serializable {
        private static final long serialVersionUID = 1L;

        @Nullable
        Long no;

        @Nullable
        String region;

        @Override
        public boolean equals(Object other) {
            return other instanceof PartId id && Objects.equals(no, id.no) && Objects.equals(region, id.region);
        }

        @Override
        public int hashCode() {
            return Objects.hash(no, region);
        }
    }

    @Entity
    @Table(name = "part")
    @IdClass(PartId.class)
    static class Part {
        @Id
        @Seriatim
        Long no;

        @Id
        String region = "r";
    }

    @Entity
    @Table(name = "numbered")
    static class Numbered {
        @Id
        @Seriatim
        long id;

        @SeriatimNumber
        Long number;
    }

    @Entity
    @Table(name = "receipt")
    static class Receipt {
        @Id
        Long id;

        @SeriatimNumber
        @Column(name = "line_number")
        Long lineNumber;
    }

    @Entity
    @Table(name = "receipt_line")
    static class ReceiptLine {
        @Id
        Long id;

        @SeriatimNumber
        Long number;
    }

    @Entity
    @Table(name = "ledger")
    static class Ledger {
        @Id
        @Seriatim(guarantee = Guarantee.GAPLESS)
        @Column(name = "ledger_key")
        Long key;

        @SeriatimNumber
        Long id;
    }

    private static List<Long> persist(SessionFactory factory, int count) {
        return factory.fromTransaction(session -> {
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Order order = new Order();
                session.persist(order);
                ids.add(order.id);
            }
            return ids;
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void are_unique_over_two_factories_and_batched(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        try (SessionFactory one = Factories.open(
                        Factories.settings(database, "hibernate.generate_statistics", true), Order.class);
                SessionFactory two = Factories.open(Factories.settings(database), Order.class)) {
            List<Long> all = Threads.run(4, i -> () -> persist(i % 2 == 0 ? one : two, 200)).stream()
                    .flatMap(List::stream)
                    .toList();
            assertThat(all).hasSize(800).doesNotHaveDuplicates().allMatch(id -> id > 0);
            assertThat(database.number("SELECT count(*) FROM orders")).isEqualTo(800);
            // 400 inserts in batches of 50; each batch prepares one statement
            assertThat(one.getStatistics().getPrepareStatementCount()).isLessThanOrEqualTo(8);
        }
    }

    /** The counter tells the modes apart: a block of the cache's size, or a value at a time. */
    @Test
    void a_mode_is_used() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(database), Batched.class, Combined.class)) {
            factory.inTransaction(session -> {
                session.persist(new Batched());
                session.persist(new Combined());
            });
            String next = "SELECT next_value FROM seriatim_sequence WHERE name = ";
            assertThat(database.number(next + "'batched_id'")).isEqualTo(1 + SequenceDefinition.DEFAULT_CACHE);
            assertThat(database.number(next + "'combined_id'")).isEqualTo(2);
        }
    }

    @Test
    void the_default_name_is_the_tables_and_id() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(database), Order.class)) {
            assertThat(persist(factory, 1)).containsExactly(1L);
            assertThat(database.number("SELECT count(*) FROM seriatim_sequence WHERE name = 'orders_id'"))
                    .isEqualTo(1);
        }
    }

    @Test
    void a_hierarchy_shares_the_sequence_of_its_root_table() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(database), Car.class, Van.class, Bike.class)) {
            factory.inTransaction(session -> {
                Car car = new Car();
                session.persist(car);
                Van van = new Van();
                session.persist(van);
                Bike bike = new Bike();
                session.persist(bike);
                assertThat(List.of(car.id, van.id)).containsExactly(1L, 2L);
                assertThat(bike.id).isEqualTo(1);
            });
            assertThat(database.number("SELECT count(*) FROM seriatim_sequence"))
                    .isEqualTo(2);
            assertThat(database.number(
                            "SELECT count(*) FROM seriatim_sequence WHERE name IN ('car_id', 'public.bike_id')"))
                    .isEqualTo(2);
        }
    }

    @Test
    void may_be_a_part_of_the_identifier() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(database), Embedding.class, Part.class)) {
            for (long i = 1; i <= 2; i++) {
                long no = i;
                factory.inTransaction(session -> {
                    Embedding embedding = new Embedding();
                    session.persist(embedding);
                    assertThat(embedding.key.no).isEqualTo(no);
                    Part part = new Part();
                    session.persist(part);
                    assertThat(part.no).isEqualTo(no);
                });
            }
            assertThat(database.number(
                            "SELECT count(*) FROM seriatim_sequence WHERE name IN ('embedding_id', 'part_id')"))
                    .isEqualTo(2);
        }
    }

    @Test
    void same_tables_of_two_default_schemas_do_not_share_a_sequence() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE SCHEMA red", "CREATE SCHEMA blue");
        for (long next = 1; next <= 2; next++) {
            for (String schema : List.of("red", "blue")) {
                try (SessionFactory factory = Factories.open(
                        Factories.settings(database, "hibernate.default_schema", schema), Numbered.class)) {
                    factory.inTransaction(session -> session.persist(new Numbered()));
                }
                assertThat(database.number("SELECT max(number) FROM %s.numbered".formatted(schema)))
                        .isEqualTo(next);
            }
        }
        assertThat(database.number("SELECT count(*) FROM seriatim_sequence WHERE name IN"
                        + " ('red.numbered_id', 'red.numbered_number', 'blue.numbered_id', 'blue.numbered_number')"))
                .isEqualTo(4);
    }

    @Test
    void a_closed_factory_draws_nothing_and_opens_nothing() {
        Database database = Engine.POSTGRESQL.freshDatabase();
        SessionFactory factory = Factories.open(Factories.settings(database), Order.class);
        HibernateSequences sequences =
                HibernateSequences.of(((SessionFactoryImplementor) factory).getServiceRegistry());
        try (SharedSessionContractImplementor session = (SharedSessionContractImplementor) factory.openSession()) {
            assertThat(sequences.of(session)).isNotNull();
            factory.close();
            assertThatThrownBy(() -> sequences.of(session))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the session factory is closed");
        }
    }

    @Test
    void ordered_ones_are_in_the_order_of_their_draws_over_two_factories() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (SessionFactory one = Factories.open(Factories.settings(database), Ticket.class);
                SessionFactory two = Factories.open(Factories.settings(database), Ticket.class)) {
            List<Long> drawn = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                drawn.add((i % 2 == 0 ? one : two).fromTransaction(session -> {
                    Ticket ticket = new Ticket();
                    session.persist(ticket);
                    return ticket.id;
                }));
            }
            assertThat(drawn).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void come_as_big_integers_texts_and_reversed() {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (SessionFactory factory =
                Factories.open(Factories.settings(database), Big.class, Text.class, Spread.class)) {
            factory.inTransaction(session -> {
                Big big = new Big();
                session.persist(big);
                assertThat(big.id).isEqualTo(BigInteger.ONE);
                Text text = new Text();
                session.persist(text);
                assertThat(text.id).isEqualTo("ORD-0001");
                Spread spread = new Spread();
                session.persist(spread);
                assertThat(spread.id).isEqualTo(1L << 62);
            });
        }
    }

    @Test
    void a_number_that_is_too_large_for_an_int_is_one_clear_error() {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (JdbcSequences sequences = JdbcSequences.open(database.dataSource())) {
            sequences.define(SequenceDefinition.named("small_id")
                    .startWith(Integer.MAX_VALUE)
                    .build());
        }
        try (SessionFactory factory = Factories.open(Factories.settings(database), Small.class)) {
            factory.inTransaction(session -> {
                Small last = new Small();
                session.persist(last);
                assertThat(last.id).isEqualTo(Integer.MAX_VALUE);
            });
            assertThatThrownBy(() -> factory.inTransaction(session -> session.persist(new Small())))
                    .isInstanceOf(SequenceException.OutOfRange.class)
                    .hasMessageContaining("'small_id'")
                    .hasMessageContaining("2147483648 does not fit into the int")
                    .hasMessageContaining("Small.id; make it a long")
                    .hasMessageNotContaining("\n");
        }
    }

    @Test
    void two_factories_of_one_service_registry_share_the_sequences_and_the_last_closes_them() {
        Database database = Engine.POSTGRESQL.freshDatabase();
        StandardServiceRegistry registry = new StandardServiceRegistryBuilder()
                .applySettings(Factories.settings(database))
                .disableAutoClose()
                .build();
        try {
            MetadataSources sources = new MetadataSources(registry).addAnnotatedClass(Order.class);
            SessionFactory one = sources.buildMetadata().buildSessionFactory();
            SessionFactory two = sources.buildMetadata().buildSessionFactory();
            assertThat(persist(one, 1)).containsExactly(1L);
            one.close();
            assertThat(persist(two, 1)).containsExactly(2L);
            two.close();
            SessionFactory three = sources.buildMetadata().buildSessionFactory();
            assertThat(persist(three, 1)).containsExactly(3L); // the rest was given back
            three.close();
        } finally {
            StandardServiceRegistryBuilder.destroy(registry);
        }
    }

    /** Both are receipt_line_number. */
    @Test
    void two_columns_whose_default_names_are_equal_do_not_share_a_sequence_unasked() {
        Database database = Engine.POSTGRESQL.freshDatabase();
        assertThatThrownBy(() -> Factories.open(Factories.settings(database), Receipt.class, ReceiptLine.class)
                        .close())
                .rootCause()
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("'receipt_line_number'")
                .hasMessageContaining("receipt.line_number")
                .hasMessageContaining("receipt_line.number")
                .hasMessageContaining("name a sequence in the annotation of one of them");
    }

    /** Both are ledger_id. */
    @Test
    void a_column_named_id_does_not_share_the_identifiers_sequence_unasked() {
        Database database = Engine.POSTGRESQL.freshDatabase();
        assertThatThrownBy(() -> Factories.open(Factories.settings(database), Ledger.class)
                        .close())
                .rootCause()
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("'ledger_id'")
                .hasMessageContaining("ledger.id")
                .hasMessageContaining("the identifier of ledger");
    }

    /** Whose rest of a block would otherwise be dealt twice. */
    @Test
    void a_sequence_that_is_in_use_does_not_restart_with_the_tables() {
        Database database = Engine.POSTGRESQL.freshDatabase();
        Map<String, Object> settings = Factories.settings(database, "hibernate.hbm2ddl.auto", "create");
        try (JdbcSequences sequences = JdbcSequences.open(database.dataSource())) {
            settings.put(SeriatimSettings.SEQUENCES, sequences);
            List<Long> all = new ArrayList<>();
            for (int count : new int[] {5, 300}) {
                try (SessionFactory factory = Factories.open(settings, Order.class)) {
                    all.addAll(persist(factory, count));
                }
            }
            assertThat(all).doesNotHaveDuplicates();
        }
    }

    @Entity(name = "copied")
    static class Copied {
        @Id
        @Seriatim
        Long id;

        Long origin;
    }

    @Test
    void hql_that_inserts_what_it_selects_is_refused_with_the_remedy() {
        Database database = Engine.H2.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(database), Copied.class)) {
            factory.inTransaction(session -> assertThatThrownBy(
                            () -> session.createMutationQuery("insert into copied (origin) select c.id from copied c")
                                    .executeUpdate())
                    .hasMessageContaining("@Seriatim on " + Copied.class.getName() + ".id")
                    .hasMessageContaining("select the rows and persist them as entities"));
        }
    }

    /** The page's remedy where the store has SQL functions; others persist meanwhile. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void sql_that_inserts_what_it_selects_draws_with_the_function(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(database), Copied.class);
                JdbcSequences sequences = JdbcSequences.open(database.dataSource())) {
            sequences.store().install();
            factory.inTransaction(session -> session.persist(new Copied()));
            Threads.run(2, thread -> () -> {
                for (int i = 0; i < (thread == 0 ? 6 : 200); i++) {
                    factory.inTransaction(session -> {
                        if (thread == 0) {
                            session.createNativeMutationQuery(
                                            "insert into copied (id, origin) select next_val('copied_id'), id from copied")
                                    .executeUpdate();
                        } else {
                            session.persist(new Copied());
                        }
                    });
                }
                return 0;
            });
            assertThat(database.number("SELECT count(DISTINCT id) FROM copied"))
                    .isEqualTo(database.number("SELECT count(*) FROM copied"))
                    .isGreaterThan(260);
        }
    }
}
