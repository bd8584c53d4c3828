// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.ColumnReader;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.testkit.Crowd;
import dev.seriatim.testkit.History;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class NativePostgresTest extends NativeContract {

    @Override
    Database create() {
        return Engine.POSTGRESQL.freshDatabase();
    }

    @Override
    OpenStore open(Database of) {
        return StoreDriver.open(of.option("seriatim.sequences", "native").url());
    }

    @Override
    String nextValue(String name) {
        return "SELECT nextval('" + name + "')";
    }

    @Override
    long cache() {
        return 50;
    }

    @Override
    long greatest() {
        return Long.MAX_VALUE;
    }

    @Override
    long steepest() {
        return Long.MAX_VALUE;
    }

    @Override
    long least() {
        return Long.MIN_VALUE;
    }

    @Test
    void keeps_the_next_value_when_the_step_changes() {
        OpenStore store = storeWith(named("s").build());
        store.reserve("s", 2);
        store().alter("s", d -> d.toBuilder().incrementBy(10).build());
        assertThat(store.reserve("s", 3).block()).isEqualTo(new Block(3, 3, 10));
    }

    @Test
    void tells_upper_and_lower_case_apart() {
        OpenStore store = storeWith(named("a").build());
        store.create(named("A").build());
        store.reserve("a", 5);
        assertThat(store.reserve("A", 1).block().first()).isEqualTo(1);
        assertThat(store.list()).extracting(s -> s.definition().name()).containsExactly("A", "a");
    }

    @Test
    void draws_in_order_although_sessions_have_caches() {
        OpenStore store = storeWith(SequenceDefinition.named("s").cache(10).build());
        List<StoreSequences> instances = List.of(StoreSequences.of(store), StoreSequences.of(store()));
        History history = new Crowd(8, 20)
                .draw((thread, turn) -> new Block(
                        instances
                                .get(thread % 2)
                                .open("s", Allocation.combined())
                                .next(),
                        1,
                        1));
        instances.forEach(StoreSequences::close);
        assertThat(history.duplicates()).isZero();
        assertThat(history.orderViolations(true)).isZero();
    }

    @Test
    void deals_up_to_the_cache_in_one_piece_however_many_draw() {
        OpenStore store = storeWith(SequenceDefinition.named("s").cache(100).build());
        History history = new Crowd(8, 50).draw((thread, turn) -> {
            Block block = store.reserve("s", 100).block();
            assertThat(block.count()).isEqualTo(100);
            return block;
        });
        assertThat(history.duplicates()).isZero();
        assertThat(history.largest()).isEqualTo(8 * 50 * 100);
    }

    @Test
    void raises_forward_only_and_never_past_what_others_draw_meanwhile() {
        OpenStore store = storeWith(named("s").build());
        store.raise("s", 100);
        store.raise("s", 50);
        assertThat(store.reserve("s", 1).block().first()).isEqualTo(100);
        assertThatThrownBy(() -> store.raise("s", 0)).isInstanceOf(SequenceException.Misconfigured.class);
        AtomicLong near = new AtomicLong(100);
        Set<Long> drawn = ConcurrentHashMap.newKeySet();
        new Crowd(4, 150).each((thread, turn) -> {
            if (thread == 0) {
                store.raise("s", near.get() + 3);
            } else {
                Block block = store.reserve("s", 2).block();
                near.set(block.last());
                assertThat(drawn.add(block.first())).isTrue();
                assertThat(block.count() == 1 || drawn.add(block.last())).isTrue();
            }
        });
    }

    @Test
    void waits_for_a_transaction_that_has_drawn_before_it_raises_and_gives_up_in_time() throws SQLException {
        OpenStore store = storeWith(named("s").build());
        String impatient = database()
                .option("seriatim.sequences", "native")
                .option("seriatim.patience", "300ms")
                .url();
        try (Connection drawing = database().connect();
                Statement statement = drawing.createStatement();
                OpenStore hurried = StoreDriver.open(impatient)) {
            drawing.setAutoCommit(false);
            statement.execute(nextValue("s"));
            assertThatThrownBy(() -> hurried.raise("s", 50))
                    .isInstanceOf(SequenceException.Overloaded.class)
                    .hasMessageContaining("locked");
            assertThat(store.reserve("s", 1).block().first()).isEqualTo(2);
            drawing.commit();
            hurried.raise("s", 50);
        }
        assertThat(store.reserve("s", 1).block().first()).isEqualTo(50);
    }

    @Test
    void draws_from_the_sequence_of_an_identity_column() throws SQLException {
        database()
                .execute(
                        "CREATE TABLE \"Orders\" (id BIGINT GENERATED BY DEFAULT AS IDENTITY (CACHE 1) PRIMARY KEY, \"No\" SERIAL,"
                                + " note TEXT)",
                        "INSERT INTO \"Orders\" (note) VALUES ('one'), ('two')");
        OpenStore store = store();
        assertThat(store.reserve("Orders.id", 3).block()).isEqualTo(new Block(3, 3, 1));
        assertThat(store.reserve("Orders.No", 1).block().first()).isEqualTo(3);
        database().execute("INSERT INTO \"Orders\" (note) VALUES ('three')");
        assertThat(database().number("SELECT max(id) FROM \"Orders\"")).isEqualTo(6);
        assertThat(store.describe("Orders.id").nextValue()).isEqualTo(7);
        assertThat(store.raise("Orders.id", 20).nextValue()).isEqualTo(20);
        assertThat(store.alter("Orders.id", d -> d.toBuilder().cache(5).build())
                        .definition()
                        .cache())
                .isEqualTo(5);
        assertThat(store.list())
                .extracting(s -> s.definition().name())
                .containsExactly("Orders_No_seq", "Orders_id_seq");
        for (String missing : List.of("Orders.note", "Orders.nothing", "Nothing.id")) {
            assertThatThrownBy(() -> store.reserve(missing, 1)).isInstanceOf(SequenceException.NotFound.class);
            assertThatThrownBy(() -> store.describe(missing)).isInstanceOf(SequenceException.NotFound.class);
        }
        assertThatThrownBy(() -> store.drop("Orders.id")).hasMessageContaining("with the column");
        assertThatThrownBy(() -> store.create(named("Orders.other").build())).hasMessageContaining("with the column");
        assertThatThrownBy(() -> store.drop("Orders_id_seq")).isInstanceOf(SequenceException.Misconfigured.class);
    }

    @Test
    void looks_up_how_far_a_column_has_come() throws SQLException {
        database().execute("CREATE TABLE orders (id BIGINT)", "INSERT INTO orders VALUES (7), (3)");
        assertThat(((ColumnReader) store()).extreme(ColumnName.of("orders", "id"), true))
                .hasValue(7);
    }

    @Test
    void draws_with_no_more_than_the_right_to_use_it() throws SQLException {
        OpenStore owner = storeWith(named("s").maxValue(4L).build());
        String role = "r_" + database().name();
        database().execute("CREATE ROLE " + role + " LOGIN PASSWORD 'pw'", "GRANT USAGE ON SEQUENCE s TO " + role);
        try (OpenStore store = open(database().as(role, "pw"))) {
            assertThat(store.reserve("s", 3).block()).isEqualTo(new Block(1, 3, 1));
            assertThat(store.reserve("s", 3).block()).isEqualTo(new Block(4, 1, 1));
            assertThatThrownBy(() -> store.reserve("s", 1)).isInstanceOf(SequenceException.Exhausted.class);
            assertThatThrownBy(() -> store.describe("s"))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining("GRANT SELECT");
            assertThatThrownBy(() -> store.restart("s", 1)).isInstanceOf(SequenceException.Misconfigured.class);
            owner.drop("s");
        }
    }

    @Test
    void refuses_a_bound_that_its_type_cannot_hold() throws SQLException {
        database().execute("CREATE SEQUENCE small AS SMALLINT");
        OpenStore store = store();
        assertThat(store.describe("small").definition().max()).isEqualTo(32767);
        assertThatThrownBy(() ->
                        store.alter("small", d -> d.toBuilder().maxValue(40000L).build()))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("smallint")
                .hasMessageNotContaining("\n");
    }

    @Test
    void is_asked_for_in_so_many_words_and_not_beside_a_table() {
        for (String option : List.of("table", "kind", "cache")) {
            Database both = database().option("seriatim.sequences", "native").option("seriatim." + option, "x");
            assertThatThrownBy(() -> StoreDriver.open(both.url()))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining("seriatim." + option)
                    .hasMessageContaining("remove it, or remove seriatim.sequences");
        }
        Database other = database().option("seriatim.sequences", "fast");
        assertThatThrownBy(() -> StoreDriver.open(other.url()))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("'fast'");
    }

    @Test
    void opens_on_a_data_source_that_stays_its_owners() {
        try (NativeSequences store = NativeSequences.open(database().dataSource());
                StoreSequences sequences = StoreSequences.of(store)) {
            store.create(named("s").build());
            Sequence sequence = sequences.open("s", Allocation.batch(10));
            assertThat(sequence.next(25).count()).isEqualTo(25);
        }
    }
}
