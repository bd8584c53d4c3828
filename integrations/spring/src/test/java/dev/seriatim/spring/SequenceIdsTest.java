// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.servers.CrowdedPool;
import dev.seriatim.servers.Engine;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.jdbc.repository.config.AbstractJdbcConfiguration;
import org.springframework.data.relational.core.dialect.Dialect;
import org.springframework.data.relational.core.dialect.MySqlDialect;
import org.springframework.data.relational.core.mapping.Sequence;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.relational.core.sql.IdentifierProcessing;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;

/** Ids of Spring Data JDBC's aggregates, on dialects with and without sequences. */
class SequenceIdsTest {

    @Table("orders")
    record Order(@Id @Sequence("order_id") @Nullable Long id, String customer) {}

    @Table("orders")
    static class Primitive {
        @Id
        @Sequence("order_id")
        int id;

        String customer = "primitive";
    }

    @Table("orders")
    static class Versioned {
        @Id
        @Sequence("order_id")
        @Nullable
        Long id;

        @Version
        long version;

        String customer = "versioned";
    }

    @Table("orders")
    record InSchema(
            @Id @Sequence(schema = "shop", sequence = "order_id") @Nullable
            Long id,

            String customer) {}

    @Table("orders")
    record Plain(@Id @Nullable Long id, String customer) {}

    @Table("texts")
    record Text(@Id @Sequence("text_id") @Nullable String id, String customer) {}

    @Table("orders")
    record Odd(@Id @Sequence("order_id") java.util.@Nullable UUID id, String customer) {}

    private static final Dialect NO_SEQUENCES = new MySqlDialect(IdentifierProcessing.ANSI);

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private @Nullable Invoices opened;

    @AfterEach
    void close() {
        context.close();
        Optional.ofNullable(opened).ifPresent(Invoices::close);
    }

    @Test
    void a_dialect_without_sequences_gets_ids_from_ours() throws SQLException {
        ids_come_from_our_sequence(Engine.POSTGRESQL);
    }

    @Test
    void so_it_does_on_mariadb() throws SQLException {
        ids_come_from_our_sequence(Engine.MARIADB);
    }

    private void ids_come_from_our_sequence(Engine engine) throws SQLException {
        Invoices invoices = open(engine);
        JdbcAggregateTemplate aggregates = aggregates(NO_SEQUENCES, null);
        assertThat(aggregates.save(new Order(null, "a")).id()).isEqualTo(1);
        assertThat(aggregates.save(new Primitive()).id).isEqualTo(2);
        Versioned versioned = aggregates.save(new Versioned());
        assertThat(versioned.id).isEqualTo(3);
        assertThat(versioned.version).isEqualTo(1);
        aggregates.save(versioned); // an update
        aggregates.save(new Order(1L, "changed")); // another
        aggregates.insert(new Order(1000L, "its own"));
        List<Order> many = new ArrayList<>();
        LongStream.rangeClosed(4, 9).forEach(i -> many.add(new Order(null, "many")));
        assertThat(aggregates.saveAll(many)).extracting(order -> order.id()).containsExactly(4L, 5L, 6L, 7L, 8L, 9L);
        assertThat(invoices.jdbc.queryForList("SELECT id FROM orders ORDER BY id", Long.class))
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 1000L);
        assertThat(aggregates.save(new Text(null, "a")).id()).isEqualTo("1");
        assertThat(invoices.jdbc.queryForObject("SELECT customer FROM orders WHERE id = 1", String.class))
                .isEqualTo("changed");
    }

    @Test
    void nothing_is_drawn_for_an_aggregate_that_has_an_id_or_is_not_new() throws SQLException {
        open(Engine.POSTGRESQL);
        JdbcAggregateTemplate aggregates = aggregates(NO_SEQUENCES, () -> {
            throw new AssertionError("drawn");
        });
        Versioned assigned = new Versioned();
        assigned.id = 77L; // new by its version
        assertThat(aggregates.save(assigned).id).isEqualTo(77);
        Versioned known = new Versioned();
        known.version = 5;
        assertThatThrownBy(() -> aggregates.save(known)).isInstanceOf(Exception.class); // there is no such row
        assertThat(aggregates.insert(new Order(5L, "its own")).id()).isEqualTo(5);
    }

    @Test
    void callers_who_hold_the_whole_pool_get_ids() throws Exception {
        Invoices invoices = open(Engine.POSTGRESQL);
        JdbcAggregateTemplate aggregates = aggregates(NO_SEQUENCES, null);
        List<Long> ids = CrowdedPool.run(held -> invoices.transaction().execute(status -> {
            held.run();
            return aggregates.save(new Order(null, "a")).id();
        }));
        assertThat(ids).hasSize(CrowdedPool.TRANSACTIONS).doesNotHaveDuplicates();
    }

    @Test
    void a_schema_stands_before_the_name() throws SQLException {
        open(Engine.POSTGRESQL)
                .sequences
                .define(SequenceDefinition.named("shop.order_id").startWith(70L).build());
        assertThat(aggregates(NO_SEQUENCES, null).save(new InSchema(null, "a")).id())
                .isEqualTo(70);
    }

    @Test
    void a_dialect_with_sequences_draws_from_the_database_s_alone() throws SQLException {
        Invoices invoices = open(Engine.POSTGRESQL);
        invoices.jdbc.execute("CREATE SEQUENCE order_id START 500");
        assertThat(aggregates(null, null).save(new Order(null, "a")).id()).isEqualTo(500);
        assertThat(invoices.sequences.store().list())
                .noneMatch(known -> known.definition().name().equals("order_id"));
    }

    @Test
    void a_gapless_id_rolls_back_with_its_row() throws SQLException {
        Invoices invoices = open(Engine.POSTGRESQL);
        GaplessNumbers numbers = GaplessNumbers.of(invoices.sequences.gapless("order_id"), invoices.pool);
        JdbcAggregateTemplate aggregates = aggregates(NO_SEQUENCES, numbers::next);
        for (int i = 0; i < 5; i++) {
            boolean undone = i % 2 == 1;
            invoices.transaction().executeWithoutResult(status -> {
                aggregates.save(new Order(null, "a"));
                if (undone) {
                    status.setRollbackOnly();
                }
            });
        }
        numbers.grouped().executeWithoutResult(status -> aggregates.save(new Order(null, "in a unit")));
        assertThat(invoices.jdbc.queryForList("SELECT id FROM orders ORDER BY id", Long.class))
                .containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void numbers_and_types_that_do_not_fit_are_refused() throws SQLException {
        open(Engine.POSTGRESQL);
        JdbcAggregateTemplate aggregates = aggregates(NO_SEQUENCES, () -> 1L << 31);
        assertThatThrownBy(() -> aggregates.save(new Primitive()))
                .isInstanceOf(SequenceException.OutOfRange.class)
                .hasMessageStartingWith("sequence 'order_id': its next value 2147483648 does not fit into ")
                .hasMessageEndingWith("; give that the type Long");
        assertThatThrownBy(() -> aggregates.save(new Odd(null, "a")))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageStartingWith("sequence 'order_id': ")
                .hasMessageEndingWith(" cannot hold a number of a sequence; give it the type Long, Integer or String");
    }

    private Invoices open(Engine engine) throws SQLException {
        Invoices invoices = new Invoices(engine);
        opened = invoices;
        invoices.database.execute(
                "CREATE TABLE orders (id BIGINT PRIMARY KEY, version BIGINT, customer VARCHAR(40))",
                "CREATE TABLE texts (id VARCHAR(40) PRIMARY KEY, customer VARCHAR(40))");
        return invoices;
    }

    /** Spring Data over the engine's own dialect, with its own callback for sequences, and ours beside it. */
    private JdbcAggregateTemplate aggregates(@Nullable Dialect named, @Nullable LongSupplier numbers) {
        Invoices invoices = Objects.requireNonNull(opened);
        context.registerBean(NamedParameterJdbcTemplate.class, () -> new NamedParameterJdbcTemplate(invoices.pool));
        context.register(SpringData.class);
        context.registerBean(SequenceIds.class, () -> {
            JdbcMappingContext mapping = context.getBean(JdbcMappingContext.class);
            Dialect dialect = named == null ? context.getBean(Dialect.class) : named;
            return numbers == null
                    ? SequenceIds.unique(invoices.sequences, mapping, dialect)
                    : SequenceIds.of(name -> numbers, mapping, dialect);
        });
        context.refresh();
        return context.getBean(JdbcAggregateTemplate.class);
    }

    @Configuration
    static class SpringData extends AbstractJdbcConfiguration {}
}
