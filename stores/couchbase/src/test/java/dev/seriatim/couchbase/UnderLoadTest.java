// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Exhausted;
import dev.seriatim.store.Reservation;
import dev.seriatim.testkit.Crowd;
import dev.seriatim.testkit.History;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Eight threads, each with its own store on one of two clusters, draw from one sequence of Seriatim's own layout. */
@Tag("long")
class UnderLoadTest {

    private static final int THREADS = 8;
    private static final OpenBucket ONE = OpenBucket.connect();
    private static final OpenBucket OTHER = OpenBucket.connect();

    private final String prefix = TestServer.freshPrefix();
    private final List<CouchbaseStore> stores = new ArrayList<>();

    UnderLoadTest() {
        for (int i = 0; i < THREADS; i++) {
            OpenBucket bucket = i % 2 == 0 ? ONE : OTHER;
            stores.add(
                    CouchbaseStore.open(bucket.collection(), bucket.sequences().withPrefix(prefix)));
        }
    }

    @AfterAll
    static void disconnect() {
        ONE.close();
        OTHER.close();
    }

    @Test
    void a_definition_that_changes_meanwhile_repeats_nothing_within_an_epoch_and_leaves_no_bounds() {
        CouchbaseStore changing = stores.get(0);
        changing.create(SequenceDefinition.of("s"));
        Map<Long, History> epochs = new ConcurrentHashMap<>();
        Map<Long, Long> increments = new ConcurrentHashMap<>();
        AtomicBoolean done = new AtomicBoolean();
        new Crowd(THREADS, 1).each((thread, turn) -> {
            if (thread == 0) {
                try {
                    changeAllTheTime(changing);
                } finally {
                    done.set(true);
                }
                return;
            }
            for (int i = 0; !done.get(); i++) {
                long began = System.nanoTime();
                Reservation drawn = stores.get(thread).reserve("s", 1 + i % 3);
                long ended = System.nanoTime();
                Block block = drawn.block();
                SequenceDefinition definition = drawn.definition();
                assertThat(block.increment()).isEqualTo(definition.increment());
                assertThat(List.of(block.first(), block.last()))
                        .allSatisfy(value -> assertThat(value).isBetween(definition.min(), definition.max()));
                epochs.computeIfAbsent(drawn.epoch(), absent -> new History()).add(began, ended, block);
                increments.put(drawn.epoch(), block.increment());
            }
        });
        assertThat(epochs).as("restarts and changes of direction during draws").hasSizeGreaterThan(10);
        epochs.forEach((epoch, history) -> {
            assertThat(history.duplicates()).as("epoch " + epoch).isZero();
            assertThat(history.orderViolations(increments.getOrDefault(epoch, 1L) > 0))
                    .as("epoch " + epoch)
                    .isZero();
        });
    }

    private static void changeAllTheTime(CouchbaseStore store) throws InterruptedException {
        for (int i = 0; i < 10; i++) {
            store.raise("s", store.describe("s").nextValue() + 1000);
            Thread.sleep(5);
            store.alter("s", d -> d.toBuilder().incrementBy(7).cache(3).build());
            Thread.sleep(5);
            store.restart("s", 100_000);
            Thread.sleep(5);
            store.alter(
                    "s", d -> d.toBuilder().incrementBy(-3).maxValue(200_000L).build());
            Thread.sleep(5);
            store.restart("s", 150_000);
            store.alter(
                    "s",
                    d -> d.toBuilder().incrementBy(1).maxValue(Long.MAX_VALUE).build());
            Thread.sleep(5);
        }
    }

    @Test
    void everything_up_to_the_end_is_dealt_once_and_more_room_goes_on_there() {
        CouchbaseStore store = stores.get(0);
        store.create(SequenceDefinition.named("s").maxValue(700L).build());
        ConcurrentSkipListSet<Long> drawn = new ConcurrentSkipListSet<>();
        drawUntilExhausted(drawn);
        assertThat(drawn).containsExactlyElementsOf(upTo(700));
        assertThat(store.describe("s").usedUp()).isTrue();
        assertThat(store.describe("s").nextValue()).isEqualTo(700);
        store.alter("s", d -> d.toBuilder().maxValue(1000L).build());
        drawUntilExhausted(drawn);
        assertThat(drawn).containsExactlyElementsOf(upTo(1000));
    }

    private void drawUntilExhausted(ConcurrentSkipListSet<Long> drawn) {
        new Crowd(THREADS, 1)
                .each((thread, turn) -> assertThatThrownBy(() -> {
                            for (int i = 0; i < 2000; i++) {
                                stores.get(thread)
                                        .reserve("s", 1 + i % 4)
                                        .block()
                                        .forEach(value ->
                                                assertThat(drawn.add(value)).isTrue());
                            }
                        })
                        .isInstanceOf(Exhausted.class));
    }

    private static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }

    @Test
    void every_round_of_a_cycle_is_dealt_once() {
        stores.get(0)
                .create(SequenceDefinition.named("s").maxValue(37L).cycle(true).build());
        ConcurrentSkipListMap<Long, History> rounds = new ConcurrentSkipListMap<>();
        new Crowd(THREADS, 60).each((thread, turn) -> {
            long began = System.nanoTime();
            Reservation drawn = stores.get(thread).reserve("s", 1 + turn % 2);
            rounds.computeIfAbsent(drawn.epoch(), absent -> new History()).add(began, System.nanoTime(), drawn.block());
        });
        assertThat(rounds).hasSizeGreaterThan(10);
        rounds.headMap(rounds.lastKey()).forEach((epoch, history) -> {
            assertThat(history.duplicates()).isZero();
            assertThat(history.size()).isEqualTo(37);
            assertThat(history.largest()).isEqualTo(37);
        });
    }

    @Test
    void what_is_given_back_is_dealt_once_more_and_only_if_no_other_draw_came_since() {
        stores.get(0).create(SequenceDefinition.of("s"));
        ConcurrentHashMap<Long, Integer> holders = new ConcurrentHashMap<>();
        new Crowd(THREADS, 40).each((thread, turn) -> {
            Reservation drawn = stores.get(thread).reserve("s", 4);
            Block block = drawn.block();
            Block unused = new Block(block.first() + 2, 2, 1);
            boolean back = stores.get(thread).giveBack("s", unused, drawn.epoch());
            (back ? new Block(block.first(), 2, 1) : block)
                    .forEach(value -> assertThat(holders.put(value, thread))
                            .as("value " + value)
                            .isNull());
        });
    }
}
