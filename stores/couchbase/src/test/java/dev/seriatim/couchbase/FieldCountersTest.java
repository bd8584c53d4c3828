// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.couchbase.client.java.json.JsonObject;
import com.couchbase.client.java.kv.MutateInOptions;
import com.couchbase.client.java.kv.MutateInSpec;
import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.SequenceException.Exhausted;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.testkit.Crowd;
import dev.seriatim.testkit.History;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Counters that are a field of an application's document. */
class FieldCountersTest {

    private static final OpenBucket BUCKET = OpenBucket.connect();

    private final String prefix = TestServer.freshPrefix();
    private final String key = prefix + "shop";
    private final OpenStore store = open("counters.invoice");

    private OpenStore open(String path) {
        return StoreDriver.open(
                TestServer.url("&kind=counter&path=" + path + "&prefix=" + prefix + TestServer.PATIENT));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @AfterAll
    static void disconnect() {
        BUCKET.close();
    }

    /** As an application draws that does not know Seriatim. */
    private long increment() {
        MutateInOptions options = MutateInOptions.mutateInOptions().durability(BUCKET.durability());
        return BUCKET.collection()
                .mutateIn(key, List.of(MutateInSpec.increment("counters.invoice", 1)), options)
                .contentAs(0, Long.class);
    }

    private void shop(String invoice) {
        BUCKET.put(key, "{\"name\":\"Corner\",\"counters\":{\"invoice\":" + invoice + ",\"order\":7}}");
    }

    private JsonObject shop() {
        return JsonObject.fromJson(BUCKET.text(key));
    }

    @Test
    void a_field_is_drawn_from_as_it_is_and_the_document_stays_whole() {
        shop("41");
        assertThat(store.describe("shop").nextValue()).isEqualTo(42);
        assertThat(store.reserve("shop", 1).block()).isEqualTo(new Block(42, 1, 1));
        assertThat(increment()).isEqualTo(43);
        assertThat(store.reserve("shop", SequenceStore.CACHE).block()).isEqualTo(new Block(44, 100, 1));
        assertThat(increment()).isEqualTo(144);
        JsonObject counters = JsonObject.create().put("invoice", 144).put("order", 7);
        assertThat(shop()).isEqualTo(JsonObject.create().put("name", "Corner").put("counters", counters));
        try (OpenStore orders = open("counters.order")) {
            assertThat(orders.reserve("shop", 1).block().first()).isEqualTo(8);
        }
        assertThat(store.reserve("shop", 1).block().first()).isEqualTo(145);
    }

    @Test
    void a_field_is_created_in_a_new_or_existing_document_and_dropped_alone() {
        store.create(SequenceDefinition.of("shop"));
        assertThat(increment()).isEqualTo(1);
        BUCKET.put(key, "{\"name\":\"Corner\",\"counters\":{\"order\":7}}");
        store.create(SequenceDefinition.named("shop").startWith(50L).build());
        assertThat(store.reserve("shop", 1).block().first()).isEqualTo(50);
        assertThat(shop().getString("name")).isEqualTo("Corner");
        assertThatThrownBy(() -> store.create(SequenceDefinition.of("shop")))
                .isInstanceOf(AlreadyExists.class)
                .hasMessageContaining("field counters.invoice");
        try (OpenStore orders = open("counters.order")) {
            assertThat(store.list()).hasSize(1);
            assertThat(orders.list()).as("of another field").isEmpty();
        }
        store.drop("shop");
        assertThat(store.list()).isEmpty();
        assertThat(shop().getString("name")).isEqualTo("Corner");
        assertThatThrownBy(() -> store.drop("shop")).isInstanceOf(NotFound.class);
    }

    @Test
    void a_missing_document_or_field_is_not_found() {
        assertThatThrownBy(() -> store.reserve("shop", 1)).isInstanceOf(NotFound.class);
        BUCKET.put(key, "{\"counters\":{}}");
        assertThatThrownBy(() -> store.reserve("shop", 1))
                .isInstanceOf(NotFound.class)
                .hasMessageContaining("field counters.invoice");
        assertThatThrownBy(() -> store.raise("shop", 5)).isInstanceOf(NotFound.class);
        assertThat(BUCKET.text(key)).as("left unchanged").isEqualTo("{\"counters\":{}}");
    }

    @Test
    void what_is_no_counter_is_refused_and_left_unchanged() {
        for (String other : List.of("\"41\"", "-1", "1.5", "{}", "[1]", "true", "9223372036854775808")) {
            shop(other);
            String text = BUCKET.text(key);
            assertThatThrownBy(() -> store.reserve("shop", 1))
                    .as(other)
                    .isInstanceOf(Misconfigured.class)
                    .message()
                    .doesNotContain("\n");
            assertThat(BUCKET.text(key)).isEqualTo(text);
        }
        shop("3");
        store.reserve("shop", 1);
        shop("{}"); // the mock would increment a number in quotes or in an array
        assertThatThrownBy(() -> store.reserve("shop", 1)).isInstanceOf(Misconfigured.class);
        try (OpenStore through = open("name.first")) {
            assertThatThrownBy(() -> through.reserve("shop", 1))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("check the document and the path");
        }
    }

    @Test
    void the_last_values_are_dealt_and_no_try_goes_beyond() {
        shop(Long.toString(Long.MAX_VALUE - 3));
        assertThat(store.reserve("shop", 9).block()).isEqualTo(new Block(Long.MAX_VALUE - 2, 3, 1));
        assertThatThrownBy(() -> store.reserve("shop", 1)).isInstanceOf(Exhausted.class);
        assertThat(shop().getObject("counters").getLong("invoice")).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void it_is_raised_restarted_and_given_back_to_by_comparing() {
        shop("0");
        store.raise("shop", 100);
        store.raise("shop", 50);
        Reservation drawn = store.reserve("shop", 10);
        assertThat(drawn.block().first()).isEqualTo(100);
        assertThat(store.giveBack("shop", new Block(105, 5, 1), drawn.epoch())).isTrue();
        assertThat(increment()).isEqualTo(105);
        assertThat(store.giveBack("shop", new Block(103, 2, 1), drawn.epoch())).isFalse();
        store.restart("shop", 1);
        assertThat(increment()).isEqualTo(1);
        assertThat(shop().getObject("counters").getLong("order")).isEqualTo(7);
    }

    @Test
    void a_raise_loses_no_change_of_the_rest_of_the_document() {
        shop("0");
        History history = new Crowd(4, 100).draw((thread, turn) -> {
            if (thread == 0) {
                store.raise("shop", store.describe("shop").nextValue() + 2);
            }
            if (thread == 1) {
                BUCKET.collection().mutateIn(key, List.of(MutateInSpec.increment("counters.order", 1)));
            }
            return new Block(increment(), 1, 1);
        });
        assertThat(history.duplicates()).isZero();
        assertThat(shop().getObject("counters").getLong("order")).isEqualTo(107);
    }

    @Test
    void a_field_that_is_dropped_while_it_is_changed_is_not_found() {
        shop("5");
        CouchbaseOptions options = BUCKET.counters().withPrefix(prefix).withPath("counters.invoice");
        CouchbaseFailures failures = new CouchbaseFailures("the bucket", options.durabilityName(), options.timeout());
        BareCounters counters = new BareCounters(
                new Documents(BUCKET.collection().async(), options.durability(), options.path()),
                new Retries(failures, options.timeout()),
                Keys.of(options),
                "the bucket");
        assertThatThrownBy(() -> counters.rewrite("shop", state -> {
                    store.drop("shop");
                    return Optional.of(state.raisedTo(100));
                }))
                .isInstanceOf(NotFound.class);
        assertThatThrownBy(() -> counters.remove("shop")).isInstanceOf(NotFound.class);
        assertThat(shop().getObject("counters").getNames()).containsExactly("order");
    }

    static List<Allocation> modes() {
        return BareCountersTest.modes();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void two_clients_and_an_application_get_every_value_once(Allocation mode) {
        shop("0");
        try (OpenStore other = open("counters.invoice");
                StoreSequences one = StoreSequences.of(store);
                StoreSequences two = StoreSequences.of(other)) {
            List<Sequence> drawn = new ArrayList<>(List.of(one.open("shop", mode), two.open("shop", mode)));
            History history = new Crowd(9, 100)
                    .draw((thread, turn) ->
                            new Block(thread < 8 ? drawn.get(thread % 2).next() : increment(), 1, 1));
            assertThat(history.size()).isEqualTo(900);
            assertThat(history.duplicates()).isZero();
            if (mode.ordered()) {
                assertThat(history.orderViolations(true)).isZero();
                assertThat(store.describe("shop").nextValue()).isEqualTo(901);
            }
        }
    }
}
