// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.couchbase.client.java.json.JsonObject;
import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Exhausted;
import dev.seriatim.SequenceException.NotFound;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Changes of Seriatim's own documents. */
class OwnDocumentsTest {

    private static final OpenBucket BUCKET = OpenBucket.connect();

    private final String prefix = TestServer.freshPrefix();
    private final CouchbaseStore store = open();

    private CouchbaseStore open() {
        return CouchbaseStore.open(BUCKET.collection(), BUCKET.sequences().withPrefix(prefix));
    }

    private JsonObject document() {
        return JsonObject.fromJson(BUCKET.text(prefix + "s"));
    }

    @AfterAll
    static void disconnect() {
        BUCKET.close();
    }

    @Test
    void a_draw_only_adds_to_the_count() {
        store.create(SequenceDefinition.of("s"));
        JsonObject before = document();
        store.reserve("s", 5);
        open().reserve("s", 2);
        assertThat(document()).isEqualTo(before.put("dealt", 7));
    }

    @Test
    void tries_after_the_end_change_nothing() {
        store.create(SequenceDefinition.named("s").maxValue(10L).build());
        store.reserve("s", 8);
        assertThat(store.reserve("s", 8).block()).isEqualTo(new Block(9, 2, 1));
        assertThatThrownBy(() -> store.reserve("s", 1)).isInstanceOf(Exhausted.class);
        String document = BUCKET.text(prefix + "s");
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> store.reserve("s", 1)).isInstanceOf(Exhausted.class);
            assertThatThrownBy(() -> open().reserve("s", 1)).isInstanceOf(Exhausted.class);
        }
        assertThat(BUCKET.text(prefix + "s")).isEqualTo(document);
    }

    @Test
    void a_change_that_changes_nothing_writes_nothing() {
        store.create(SequenceDefinition.of("s"));
        store.reserve("s", 10);
        String document = BUCKET.text(prefix + "s");
        assertThat(store.raise("s", 5).nextValue()).isEqualTo(11);
        assertThat(store.alter("s", d -> d).nextValue()).isEqualTo(11);
        assertThat(store.giveBack("s", new Block(3, 1, 1), 0)).isFalse();
        assertThat(BUCKET.text(prefix + "s")).isEqualTo(document);
    }

    @Test
    void a_sequence_that_is_dropped_while_it_is_changed_is_not_found() {
        store.create(SequenceDefinition.of("s"));
        assertThatThrownBy(() -> store.alter("s", definition -> {
                    open().drop("s");
                    return definition.toBuilder().incrementBy(2).build();
                }))
                .isInstanceOf(NotFound.class);
    }

    @Test
    void a_high_count_is_begun_again() {
        store.create(SequenceDefinition.of("s"));
        store.reserve("s", 1);
        long far = OwnDocuments.COUNT_LIMIT - 2;
        BUCKET.put(prefix + "s", document().put("dealt", far).toString());
        for (long expected = far + 1; expected < far + 10; expected += 3) {
            assertThat(store.reserve("s", 3).block()).isEqualTo(new Block(expected, 3, 1));
        }
        assertThat(document().getLong("dealt")).isLessThan(10);
    }

    @Test
    void more_than_the_count_may_grow_by_is_taken_at_once() {
        store.create(SequenceDefinition.of("s"));
        long many = OwnDocuments.MOST_AT_ONCE + 1;
        assertThat(store.reserve("s", many).block()).isEqualTo(new Block(1, many, 1));
        assertThat(store.reserve("s", Long.MAX_VALUE).block()).isEqualTo(new Block(many + 1, Long.MAX_VALUE - many, 1));
        assertThatThrownBy(() -> store.reserve("s", 1)).isInstanceOf(Exhausted.class);
    }

    @Test
    void all_of_64_bits_is_dealt_from_end_to_end() {
        store.create(SequenceDefinition.named("s")
                .minValue(Long.MIN_VALUE)
                .startWith(Long.MIN_VALUE)
                .build());
        assertThat(store.reserve("s", Long.MAX_VALUE).block()).isEqualTo(new Block(Long.MIN_VALUE, Long.MAX_VALUE, 1));
        assertThat(store.reserve("s", Long.MAX_VALUE).block()).isEqualTo(new Block(-1, Long.MAX_VALUE, 1));
        assertThat(store.reserve("s", 5).block()).isEqualTo(new Block(Long.MAX_VALUE - 1, 2, 1));
        assertThatThrownBy(() -> store.reserve("s", 1)).isInstanceOf(Exhausted.class);
        store.restart("s", Long.MIN_VALUE);
        assertThat(store.reserve("s", 2).block()).isEqualTo(new Block(Long.MIN_VALUE, 2, 1));
        assertThat(store.describe("s").nextValue()).isEqualTo(Long.MIN_VALUE + 2);
    }

    @Test
    void the_longest_names_have_documents_of_their_own() {
        String one = "𝒳".repeat(64);
        String other = "𝒴" + "𝒳".repeat(63);
        store.create(SequenceDefinition.of(one));
        store.create(SequenceDefinition.of(other));
        store.reserve(one, 5);
        assertThat(store.reserve(other, 1).block().first()).isEqualTo(1);
        assertThat(open().reserve(one, 1).block().first()).isEqualTo(6);
        assertThat(store.list()).extracting(s -> s.definition().name()).containsExactlyInAnyOrder(one, other);
    }
}
