// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.testkit.Crowd;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

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
}
