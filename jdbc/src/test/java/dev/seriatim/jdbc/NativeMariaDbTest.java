// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.testkit.Crowd;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NativeMariaDbTest extends NativeContract {

    @Override
    Database create() {
        return Engine.MARIADB.freshDatabase();
    }

    @Override
    OpenStore open(Database of) {
        return StoreDriver.open(of.option("seriatim.sequences", "native").url());
    }

    @Override
    String nextValue(String name) {
        return "SELECT NEXT VALUE FOR " + name;
    }

    @Override
    long cache() {
        return 50;
    }

    @Override
    long greatest() {
        return Long.MAX_VALUE - 1;
    }

    @Override
    long steepest() {
        return Long.MAX_VALUE / 3;
    }

    @Override
    long least() {
        return Long.MIN_VALUE + 1;
    }

    @Test
    void takes_the_defaults_of_sql_for_its_own_which_end_one_value_before_64_bits_do() {
        OpenStore store = storeWith(SequenceDefinition.of("up"));
        store.create(SequenceDefinition.named("down").incrementBy(-1).build());
        assertThat(store.describe("up").definition().max()).isEqualTo(Long.MAX_VALUE - 1);
        assertThat(store.describe("down").definition().min()).isEqualTo(Long.MIN_VALUE + 1);
        assertThatThrownBy(
                        () -> store.create(named("s").startWith(Long.MAX_VALUE).build()))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("start");
    }

    @Test
    void keeps_the_next_value_when_the_step_changes() {
        OpenStore store = storeWith(named("s").build());
        store.reserve("s", 2);
        store().alter("s", d -> d.toBuilder().incrementBy(10).build());
        assertThat(store.reserve("s", 3).block()).isEqualTo(new Block(3, 3, 10));
    }

    @Test
    void loses_nothing_of_a_cache_that_reaches_the_end() {
        OpenStore store = storeWith(
                SequenceDefinition.named("s").maxValue(100L).cache(1000).build());
        assertThat(store.reserve("s", 30).block()).isEqualTo(new Block(1, 30, 1));
        assertThat(store.reserve("s", 30).block()).isEqualTo(new Block(31, 30, 1));
        assertThat(store.reserve("s", 1000).block()).isEqualTo(new Block(61, 40, 1));
        assertThatThrownBy(() -> store.reserve("s", 3)).isInstanceOf(SequenceException.Exhausted.class);
    }

    @Test
    void raises_forward_only_and_never_past_what_others_draw_meanwhile() {
        OpenStore store = storeWith(named("s").build());
        store.create(named("down").incrementBy(-1).build());
        store.raise("s", 100);
        store.raise("s", 50);
        store.raise("down", -100);
        store.raise("down", -50);
        assertThat(store.reserve("s", 1).block().first()).isEqualTo(100);
        assertThat(store.reserve("down", 1).block().first()).isEqualTo(-100);
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
    void draws_with_no_more_than_the_rights_that_it_names() throws SQLException {
        storeWith(named("s").maxValue(4L).build());
        String user = "u_" + database().name();
        String name = database().name();
        database()
                .execute(
                        "CREATE USER " + user + "@'%' IDENTIFIED BY 'pw'",
                        "GRANT SELECT, INSERT ON " + name + ".s TO " + user + "@'%'");
        try (OpenStore store = open(database().as(user, "pw"))) {
            assertThat(store.reserve("s", 3).block()).isEqualTo(new Block(1, 3, 1));
            assertThat(store.reserve("s", 3).block()).isEqualTo(new Block(4, 1, 1));
            assertThatThrownBy(() -> store.reserve("s", 1)).isInstanceOf(SequenceException.Exhausted.class);
            assertThat(store.describe("s").usedUp()).isTrue();
            assertThatThrownBy(() -> store.restart("s", 1))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining("GRANT SELECT, INSERT");
        }
    }

    @Test
    void is_refused_on_a_cluster_and_where_there_is_none() {
        for (Engine engine : List.of(Engine.GALERA, Engine.H2)) {
            Database database = engine.freshDatabase().option("seriatim.sequences", "native");
            assertThatThrownBy(() -> StoreDriver.open(database.url()))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining("counter row");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TINYINT,            -127, 126",
        "TINYINT UNSIGNED,      1, 254",
        "SMALLINT,         -32767, 32766",
        "SMALLINT UNSIGNED,     1, 65534",
        "MEDIUMINT,      -8388607, 8388606",
        "MEDIUMINT UNSIGNED,    1, 16777214",
        "INT,         -2147483647, 2147483646",
        "INT UNSIGNED,          1, 4294967294",
        "BIGINT, -9223372036854775807, 9223372036854775806",
    })
    void deals_from_a_sequence_of_any_type_to_both_its_ends(String type, long least, long greatest)
            throws SQLException {
        assumeTypes();
        database()
                .execute(
                        "CREATE SEQUENCE up AS " + type + " START WITH " + (greatest - 5),
                        "CREATE SEQUENCE down AS " + type + " INCREMENT BY -1 MINVALUE " + least + " START WITH "
                                + (least + 3));
        OpenStore store = store();
        assertThat(store.describe("up").definition())
                .isEqualTo(new SequenceDefinition("up", greatest - 5, 1, 1, greatest, false, 1000));
        assertThat(store.describe("down").definition().min()).isEqualTo(least);
        assertThat(store.list()).hasSize(2);
        assertThat(store.reserve("up", 1).block()).isEqualTo(new Block(greatest - 5, 1, 1));
        assertThat(store.reserve("up", 3).block()).isEqualTo(new Block(greatest - 4, 3, 1));
        assertThat(store.raise("up", greatest).nextValue()).isIn(greatest, greatest - 1);
        assertThat(store.reserve("up", SequenceStore.CACHE).block()).isEqualTo(new Block(greatest, 1, 1));
        assertThat(store.reserve("down", 2).block()).isEqualTo(new Block(least + 3, 2, -1));
        assertThat(store.reserve("down", 9).block()).isEqualTo(new Block(least + 1, 2, -1));
        for (String name : List.of("up", "down")) {
            assertThatThrownBy(() -> store.reserve(name, 1)).isInstanceOf(SequenceException.Exhausted.class);
            assertThat(store.describe(name).usedUp()).isTrue();
        }
        assertThat(store.restart("up", 7).nextValue()).isEqualTo(7);
        store.alter(
                "up",
                d -> d.toBuilder()
                        .startWith(7L)
                        .minValue(1L)
                        .maxValue(8L)
                        .cycle(true)
                        .cache(1)
                        .build());
        assertThat(store.reserve("up", 9).block()).isEqualTo(new Block(7, 2, 1));
        assertThat(store.reserve("up", 2).block()).isEqualTo(new Block(1, 2, 1));
        store.alter("up", d -> d.toBuilder().maxValue(Long.MAX_VALUE).build());
        assertThat(store.describe("up").definition().max()).isEqualTo(greatest);
    }

    @Test
    void refuses_bounds_that_the_server_would_clip_to_the_type() throws SQLException {
        assumeTypes();
        database().execute("CREATE SEQUENCE s AS TINYINT UNSIGNED");
        OpenStore store = store();
        for (SequenceDefinition.Builder wide : List.of(
                named("s").maxValue(255L),
                named("s").maxValue(300L),
                named("s").minValue(0L).maxValue(9L))) {
            assertThatThrownBy(() -> store.alter("s", d -> wide.build()))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining("tinyint unsigned holds 1 to 254")
                    .hasMessageContaining("ALTER SEQUENCE `s` AS BIGINT");
        }
        assertThat(store.describe("s").definition().max()).isEqualTo(254);
        database().execute("ALTER SEQUENCE `s` AS BIGINT");
        assertThat(store.alter("s", d -> d.toBuilder().maxValue(300L).build())
                        .definition()
                        .max())
                .isEqualTo(300);
    }

    @Test
    void deals_unsigned_values_up_to_the_highest_number_and_refuses_a_sequence_that_goes_beyond() throws SQLException {
        assumeTypes();
        long last = Long.MAX_VALUE;
        database()
                .execute(
                        "CREATE SEQUENCE whole AS BIGINT UNSIGNED START WITH " + (last - 1),
                        "CREATE SEQUENCE beyond AS BIGINT UNSIGNED MINVALUE 9223372036854775808",
                        "CREATE SEQUENCE down AS BIGINT UNSIGNED INCREMENT BY -1",
                        "CREATE SEQUENCE plain");
        OpenStore store = store();
        List<String> beyond = List.of("whole", "beyond", "down");
        for (String name : beyond) {
            for (org.assertj.core.api.ThrowableAssert.ThrowingCallable call :
                    List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
                            () -> store.reserve(name, 1),
                            () -> store.reserve(name, 5),
                            () -> store.reserve(name, SequenceStore.CACHE),
                            () -> store.describe(name),
                            () -> store.raise(name, last),
                            () -> store.restart(name, 1),
                            () -> store.alter(name, d -> d))) {
                assertThatThrownBy(call)
                        .isInstanceOf(SequenceException.Misconfigured.class)
                        .hasMessageContaining("'" + name + "'")
                        .hasMessageContaining("18446744073709551614 is above the highest number, 9223372036854775807")
                        .hasMessageContaining(name.equals("whole") ? "ALTER SEQUENCE `whole` MAXVALUE" : "in SQL");
            }
        }
        assertThat(database().number("SELECT next_not_cached_value = 9223372036854775806 FROM whole"))
                .isEqualTo(1);
        List<String> broken = new ArrayList<>();
        assertThat(store.list((name, why) -> broken.add(name)))
                .extracting(state -> state.definition().name())
                .containsExactly("plain");
        assertThat(broken).containsExactlyInAnyOrderElementsOf(beyond);
        database().execute("ALTER SEQUENCE `whole` MAXVALUE 9223372036854775807");
        store.alter("whole", d -> d.toBuilder().cache(5).build());
        assertThat(store.reserve("whole", 9).block()).isEqualTo(new Block(last - 1, 2, 1));
        assertThat(store.describe("whole").definition().max()).isEqualTo(last);
        assertThat(store.describe("whole").usedUp()).isTrue();
        assertThatThrownBy(() -> store.reserve("whole", 1)).isInstanceOf(SequenceException.Exhausted.class);
    }

    @Test
    void refuses_a_sequence_whose_step_the_server_chooses() throws SQLException {
        database().execute("CREATE SEQUENCE s INCREMENT BY 0 NOCACHE");
        for (long count : List.of(1L, 3L, SequenceStore.CACHE)) {
            assertThatThrownBy(() -> store().reserve("s", count))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining("increment");
        }
        assertThat(database().number(nextValue("s"))).isEqualTo(1);
    }

    /** MariaDB has types of sequences since 11.5, and then lists them. */
    private void assumeTypes() throws SQLException {
        assumeTrue(
                database()
                                .number(
                                        "SELECT COUNT(*) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'information_schema' AND TABLE_NAME = 'SEQUENCES'")
                        > 0,
                "sequences have types since MariaDB 11.5");
    }
}
