// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.mybatisplus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.KeySequence;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.MybatisConfiguration;
import com.baomidou.mybatisplus.core.MybatisSqlSessionFactoryBuilder;
import com.baomidou.mybatisplus.core.config.GlobalConfig;
import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import com.baomidou.mybatisplus.core.toolkit.GlobalConfigUtils;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.memory.InMemorySequences;
import dev.seriatim.servers.CrowdedPool;
import dev.seriatim.servers.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ibatis.exceptions.PersistenceException;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** MyBatis-Plus itself, inserting into real databases. */
class SeriatimIdentifierGeneratorTest {

    @TableName("\"orders\"")
    static class Order {
        @TableId(type = IdType.ASSIGN_ID)
        @Nullable
        Long id;

        @Nullable
        String item;
    }

    /** A subclass without a mapper, as a proxy is. */
    static class Gift extends Order {}

    @TableName("parcel")
    @KeySequence("parcels")
    static class Parcel {
        @TableId(type = IdType.ASSIGN_ID)
        @Nullable
        String code;
    }

    @TableName("letter")
    static class Letter {
        @TableId(type = IdType.ASSIGN_ID)
        @Nullable
        Integer id;
    }

    @TableName("note")
    static class Note {
        @TableId(type = IdType.ASSIGN_UUID)
        @Nullable
        String id;
    }

    interface Orders extends BaseMapper<Order> {}

    interface Parcels extends BaseMapper<Parcel> {}

    interface Letters extends BaseMapper<Letter> {}

    interface Notes extends BaseMapper<Note> {}

    enum Site {
        H2,
        POSTGRESQL;

        HikariDataSource pool() {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl(
                    this == H2
                            ? "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1"
                            : Engine.POSTGRESQL.freshDatabase().url());
            return pool;
        }

        HikariDataSource poolWithTables() {
            HikariDataSource pool = pool();
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE \"orders\" (id BIGINT PRIMARY KEY, item VARCHAR(40))");
                statement.execute("CREATE TABLE parcel (code VARCHAR(40) PRIMARY KEY)");
                statement.execute("CREATE TABLE letter (id INT PRIMARY KEY)");
                statement.execute("CREATE TABLE note (id VARCHAR(40) PRIMARY KEY)");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
            return pool;
        }
    }

    @Test
    void runs_on_the_version_of_mybatis_plus_that_the_build_names() {
        assertThat(String.valueOf(IdentifierGenerator.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()))
                .contains("mybatis-plus-core-" + System.getProperty("seriatim.mybatis-plus") + ".jar");
    }

    @ParameterizedTest
    @EnumSource
    void entities_get_numbers_of_their_table(Site site) {
        try (HikariDataSource pool = site.poolWithTables();
                JdbcSequences sequences = JdbcSequences.open(pool);
                SqlSession session = factory(pool, new SeriatimIdentifierGenerator(sequences))
                        .openSession()) {
            Orders orders = session.getMapper(Orders.class);
            Order first = order();
            orders.insert(first);
            Order second = order();
            orders.insert(second);
            Order own = order();
            own.id = 77L;
            orders.insert(own);
            Gift gift = new Gift();
            orders.insert(gift);
            Parcel parcel = new Parcel();
            session.getMapper(Parcels.class).insert(parcel);
            Letter letter = new Letter();
            session.getMapper(Letters.class).insert(letter);
            Note note = new Note();
            session.getMapper(Notes.class).insert(note);
            session.commit();

            assertThat(first.id).isEqualTo(1);
            assertThat(second.id).isEqualTo(2);
            assertThat(own.id).as("assigned by the caller").isEqualTo(77);
            assertThat(gift.id).as("its superclass's table").isEqualTo(3);
            assertThat(parcel.code).isEqualTo("1");
            assertThat(letter.id).isEqualTo(1);
            assertThat(note.id).hasSize(32);
            assertThat(orders.selectById(2L).item).isEqualTo("book");
            assertThat(sequences.store().list())
                    .extracting(state -> state.definition().name())
                    .containsExactly("letter_id", "orders_id", "parcels");
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_batch_gets_a_number_for_each_entity(Site site) {
        try (HikariDataSource pool = site.poolWithTables();
                JdbcSequences sequences = JdbcSequences.open(pool);
                SqlSession session = factory(pool, new SeriatimIdentifierGenerator(sequences))
                        .openSession(true)) {
            List<Order> batch = Stream.generate(SeriatimIdentifierGeneratorTest::order)
                    .limit(2_000)
                    .toList();
            Orders orders = session.getMapper(Orders.class);
            orders.insert(batch, 100);
            assertThat(batch).extracting(order -> order.id).doesNotContainNull().doesNotHaveDuplicates();
            assertThat(orders.selectCount(null)).isEqualTo(2_000);
        }
    }

    @ParameterizedTest
    @EnumSource
    void instances_that_insert_into_one_table_do_not_collide(Site site) throws Exception {
        int instances = 3;
        int each = 500;
        try (HikariDataSource pool = site.poolWithTables()) {
            ExecutorService threads = Executors.newFixedThreadPool(instances);
            try {
                List<Future<List<Long>>> inserted = new ArrayList<>();
                for (int i = 0; i < instances; i++) {
                    inserted.add(threads.submit(() -> insertedByAnInstance(pool, each)));
                }
                Set<Long> all = new TreeSet<>();
                for (Future<List<Long>> ids : inserted) {
                    all.addAll(ids.get());
                }
                assertThat(all).hasSize(instances * each);
            } finally {
                threads.shutdownNow();
            }
        }
    }

    @Test
    void callers_who_hold_the_whole_pool_get_numbers() throws Exception {
        try (HikariDataSource pool = Site.POSTGRESQL.poolWithTables();
                JdbcSequences sequences = JdbcSequences.open(pool)) {
            pool.setMaximumPoolSize(CrowdedPool.SIZE);
            SqlSessionFactory factory = factory(pool, new SeriatimIdentifierGenerator(sequences));
            List<Long> inserted = CrowdedPool.run(held -> {
                try (SqlSession session = factory.openSession()) {
                    Orders orders = session.getMapper(Orders.class);
                    orders.selectCount(null);
                    held.run();
                    Order order = order();
                    orders.insert(order);
                    session.commit();
                    return Objects.requireNonNull(order.id);
                }
            });
            assertThat(inserted).hasSize(CrowdedPool.TRANSACTIONS).doesNotHaveDuplicates();
        }
    }

    private static List<Long> insertedByAnInstance(HikariDataSource pool, int count) {
        try (JdbcSequences own = JdbcSequences.open(pool);
                SqlSession session =
                        factory(pool, new SeriatimIdentifierGenerator(own)).openSession(true)) {
            Orders orders = session.getMapper(Orders.class);
            return IntStream.range(0, count)
                    .mapToObj(i -> {
                        Order order = order();
                        orders.insert(order);
                        return Objects.requireNonNull(order.id);
                    })
                    .toList();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_rollback_does_not_return_numbers(Site site) {
        try (HikariDataSource pool = site.poolWithTables();
                JdbcSequences sequences = JdbcSequences.open(pool);
                SqlSession session = factory(pool, new SeriatimIdentifierGenerator(sequences))
                        .openSession()) {
            Orders orders = session.getMapper(Orders.class);
            orders.insert(order());
            session.rollback();
            Order kept = order();
            orders.insert(kept);
            session.commit();
            assertThat(kept.id).isEqualTo(2);
            assertThat(orders.selectCount(null)).isEqualTo(1);
        }
    }

    @Test
    void a_number_that_does_not_fit_the_identifier_is_refused_and_not_cut_off() {
        try (HikariDataSource pool = Site.H2.poolWithTables();
                InMemorySequences sequences = InMemorySequences.open();
                SqlSession session = factory(pool, new SeriatimIdentifierGenerator(sequences))
                        .openSession()) {
            sequences.define(SequenceDefinition.named("letter_id")
                    .startWith(Integer.MAX_VALUE)
                    .build());
            Letters letters = session.getMapper(Letters.class);
            Letter last = new Letter();
            letters.insert(last);
            assertThat(last.id).isEqualTo(Integer.MAX_VALUE);
            assertThatThrownBy(() -> letters.insert(new Letter()))
                    .isInstanceOf(PersistenceException.class)
                    .rootCause()
                    .isInstanceOf(SequenceException.OutOfRange.class)
                    .hasMessageContaining("its number 2147483648 does not fit the Integer identifier");
            assertThat(letters.selectCount(null)).isEqualTo(1);
        }
    }

    @Test
    void names_and_mode_can_be_chosen() {
        try (HikariDataSource pool = Site.H2.poolWithTables();
                InMemorySequences sequences = InMemorySequences.open();
                SqlSession session = factory(
                                pool,
                                new SeriatimIdentifierGenerator(
                                        sequences::ordered, entity -> "all_" + entity.getSimpleName()))
                        .openSession()) {
            session.getMapper(Orders.class).insert(order());
            session.getMapper(Parcels.class).insert(new Parcel());
            assertThat(sequences.store().list())
                    .extracting(state -> state.definition().name())
                    .containsExactly("all_Order", "all_Parcel");
            assertThatThrownBy(() -> sequences.unique("all_Order"))
                    .as("open in the mode that was chosen")
                    .isInstanceOf(SequenceException.Misconfigured.class);
        }
    }

    @Test
    void what_is_no_entity_is_refused_in_one_line() {
        try (InMemorySequences sequences = InMemorySequences.open()) {
            SeriatimIdentifierGenerator generator = new SeriatimIdentifierGenerator(sequences);
            assertThatThrownBy(() -> generator.nextId(new Object()))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageStartingWith("java.lang.Object is no entity of MyBatis-Plus");
            assertThatThrownBy(() -> generator.nextId(null))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining("belongs to no sequence");
        }
    }

    @Test
    void a_sequence_that_fails_fails_the_insert_and_the_next_one_may_succeed() {
        try (HikariDataSource pool = Site.H2.poolWithTables();
                InMemorySequences sequences = InMemorySequences.open();
                SqlSession session = factory(pool, new SeriatimIdentifierGenerator(sequences))
                        .openSession()) {
            sequences.define(SequenceDefinition.named("orders_id").maxValue(1L).build());
            Orders orders = session.getMapper(Orders.class);
            orders.insert(order());
            assertThatThrownBy(() -> orders.insert(order()))
                    .rootCause()
                    .isInstanceOf(SequenceException.Exhausted.class);
            sequences
                    .store()
                    .alter(
                            "orders_id",
                            definition -> definition.toBuilder().maxValue(9L).build());
            orders.insert(order());
            assertThat(orders.selectCount(null)).isEqualTo(2);
        }
    }

    private static Order order() {
        Order order = new Order();
        order.item = "book";
        return order;
    }

    private static SqlSessionFactory factory(HikariDataSource pool, IdentifierGenerator generator) {
        MybatisConfiguration configuration =
                new MybatisConfiguration(new Environment("test", new JdbcTransactionFactory(), pool));
        GlobalConfig global = GlobalConfigUtils.defaults();
        global.setBanner(false);
        global.setIdentifierGenerator(generator);
        GlobalConfigUtils.setGlobalConfig(configuration, global);
        for (Class<?> mapper : List.of(Orders.class, Parcels.class, Letters.class, Notes.class)) {
            configuration.addMapper(mapper);
        }
        return new MybatisSqlSessionFactoryBuilder().build(configuration);
    }
}
