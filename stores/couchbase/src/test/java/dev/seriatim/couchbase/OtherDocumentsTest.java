// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.couchbase.client.java.codec.RawBinaryTranscoder;
import com.couchbase.client.java.kv.GetOptions;
import com.couchbase.client.java.kv.UpsertOptions;
import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Overloaded;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Documents under a sequence's key that are not sequences, or that other applications create and remove. */
class OtherDocumentsTest {

    private static final OpenBucket BUCKET = OpenBucket.connect();

    private final String prefix = TestServer.freshPrefix();
    private final CouchbaseStore sequences =
            CouchbaseStore.open(BUCKET.collection(), BUCKET.sequences().withPrefix(prefix));
    private final CouchbaseStore counters =
            CouchbaseStore.open(BUCKET.collection(), BUCKET.counters().withPrefix(prefix));

    @AfterAll
    static void disconnect() {
        BUCKET.close();
    }

    private static List<Consumer<CouchbaseStore>> everyCall() {
        return List.of(
                store -> store.reserve("s", 1),
                store -> store.reserve("s", 1L << 50),
                store -> store.create(SequenceDefinition.of("s")),
                store -> store.describe("s"),
                store -> store.alter("s", definition -> definition),
                store -> store.raise("s", 5),
                store -> store.restart("s", 5),
                store -> store.giveBack("s", new Block(1, 1, 1), 0),
                store -> store.drop("s"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
                    {"counter": 5}         | a JSON object of another kind
                    "five"                 | neither a JSON object nor a counter
                    [5]                    | neither a JSON object nor a counter
                    5.5                    | neither a JSON object nor a counter
                    -5                     | neither a JSON object nor a counter
                    18446744073709551616   | neither a JSON object nor a counter
                    true                   | neither a JSON object nor a counter
                    null                   | neither a JSON object nor a counter
                    five                   | neither a JSON object nor a counter
                    {"seriatim": "seq      | neither a JSON object nor a counter
                    """)
    void a_document_of_another_kind_is_reported_in_one_line_and_left_alone(String text, String kind) {
        BUCKET.put(prefix + "s", text);
        for (CouchbaseStore store : List.of(sequences, counters)) {
            for (Consumer<CouchbaseStore> call : everyCall()) {
                assertThatThrownBy(() -> call.accept(store))
                        .isInstanceOf(Misconfigured.class)
                        .hasMessageContaining("'" + prefix + "s'")
                        .hasMessageContaining(kind)
                        .message()
                        .doesNotContain("\n");
                assertThat(BUCKET.text(prefix + "s")).isEqualTo(text);
            }
        }
    }

    @Test
    void bytes_that_are_no_text_are_reported_and_left_alone() {
        byte[] bytes = {0, 1, (byte) 0xff};
        BUCKET.collection()
                .upsert(
                        prefix + "s",
                        bytes,
                        UpsertOptions.upsertOptions()
                                .transcoder(RawBinaryTranscoder.INSTANCE)
                                .durability(BUCKET.durability()));
        for (CouchbaseStore store : List.of(sequences, counters)) {
            assertThatThrownBy(() -> store.reserve("s", 1))
                    .hasMessageContaining("is neither a JSON object nor a counter");
        }
    }

    @Test
    void each_kind_of_store_says_how_to_draw_from_the_other_kind() {
        BUCKET.increment(prefix + "counter");
        sequences.create(SequenceDefinition.of("sequence"));
        String document = BUCKET.text(prefix + "sequence");
        assertThatThrownBy(() -> sequences.reserve("counter", 1))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("a bare counter")
                .hasMessageContaining("kind=counter");
        assertThatThrownBy(() -> counters.reserve("sequence", 1))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("without kind=counter");
        assertThat(BUCKET.text(prefix + "counter")).isEqualTo("1");
        assertThat(BUCKET.text(prefix + "sequence")).isEqualTo(document);
    }

    @Test
    void a_sequence_that_becomes_another_kind_while_it_is_drawn_from_is_reported() {
        sequences.create(SequenceDefinition.of("s"));
        counters.create(SequenceDefinition.of("c"));
        sequences.reserve("s", 1);
        counters.reserve("c", 1);
        BUCKET.put(prefix + "s", "\"text\"");
        BUCKET.put(prefix + "c", "\"text\"");
        assertThatThrownBy(() -> sequences.reserve("s", 1))
                .hasMessageContaining("is neither a JSON object nor a counter");
        assertThatThrownBy(() -> counters.reserve("c", 1))
                .hasMessageContaining("is neither a JSON object nor a counter");
        BUCKET.collection().remove(prefix + "s");
        BUCKET.collection().remove(prefix + "c");
        assertThatThrownBy(() -> sequences.reserve("s", 1)).isInstanceOf(NotFound.class);
        assertThatThrownBy(() -> counters.reserve("c", 1)).isInstanceOf(NotFound.class);
    }

    @Test
    void a_damaged_sequence_says_where() {
        sequences.create(SequenceDefinition.of("s"));
        sequences.reserve("s", 1);
        BUCKET.put(prefix + "s", BUCKET.text(prefix + "s").replace("\"dealt\":1", "\"dealt\":1.5"));
        assertThatThrownBy(() -> sequences.describe("s"))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("is damaged ('dealt' is not an integer");
    }

    @Test
    void a_document_copied_to_another_name_is_not_drawn_from() {
        sequences.create(SequenceDefinition.of("s"));
        BUCKET.put(prefix + "copy", BUCKET.text(prefix + "s"));
        assertThatThrownBy(() -> sequences.reserve("copy", 1)).isInstanceOf(Misconfigured.class);
    }

    @Test
    void what_the_list_of_names_has_lost_is_drawn_from_all_the_same() {
        sequences.create(SequenceDefinition.of("s"));
        sequences.reserve("s", 4);
        BUCKET.collection().remove(prefix + "#names");
        assertThat(sequences.list()).isEmpty();
        assertThat(sequences.reserve("s", 1).block().first()).isEqualTo(5);
        assertThat(sequences.describe("s").nextValue()).isEqualTo(6);
        assertThatThrownBy(() -> sequences.create(SequenceDefinition.of("s"))).isInstanceOf(AlreadyExists.class);
        assertThat(sequences.list()).as("listed again").hasSize(1);
    }

    @Test
    void what_was_removed_by_other_hands_is_passed_over_in_the_list() {
        sequences.create(SequenceDefinition.of("a"));
        sequences.create(SequenceDefinition.of("b"));
        BUCKET.collection().remove(prefix + "a");
        assertThat(sequences.list()).extracting(s -> s.definition().name()).containsExactly("b");
    }

    @Test
    void a_document_that_is_no_sequence_is_named_and_the_rest_is_listed() {
        sequences.create(SequenceDefinition.of("a"));
        sequences.create(SequenceDefinition.of("b"));
        BUCKET.put(prefix + "a", "{\"other\": 1}");
        Map<String, Misconfigured> broken = new HashMap<>();
        assertThat(sequences.list(broken::put))
                .extracting(s -> s.definition().name())
                .containsExactly("b");
        assertThat(broken).containsOnlyKeys("a");
        assertThat(broken.get("a")).hasMessageContaining("'a'");
        assertThatThrownBy(sequences::list).isInstanceOf(Misconfigured.class);
    }

    @Test
    void a_list_of_names_that_is_something_else_is_reported_and_left_alone() {
        BUCKET.put(prefix + "#names", "{\"names\": \"many\"}");
        assertThatThrownBy(sequences::list).isInstanceOf(Misconfigured.class).hasMessageContaining("#names");
        assertThatThrownBy(() -> sequences.create(SequenceDefinition.of("s")))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("is not a list of names");
        assertThat(BUCKET.text(prefix + "#names")).isEqualTo("{\"names\": \"many\"}");
    }

    @Test
    void a_document_that_another_holds_is_waited_for_until_the_time_is_up() {
        CouchbaseStore patient = CouchbaseStore.open(
                BUCKET.collection(), BUCKET.sequences().withPrefix(prefix).withTimeout(Duration.ofSeconds(1)));
        sequences.create(SequenceDefinition.of("s"));
        sequences.reserve("s", 1);
        long cas = BUCKET.collection()
                .getAndLock(prefix + "s", Duration.ofSeconds(15))
                .cas();
        Throwable failure = catchThrowable(() -> patient.reserve("s", 1));
        for (int i = 0; i < 5 && !(failure instanceof Overloaded); i++) { // the last answer came too late
            failure = catchThrowable(() -> patient.reserve("s", 1));
        }
        assertThat(failure).isInstanceOf(Overloaded.class).hasMessageContaining("1000 ms");
        BUCKET.collection().unlock(prefix + "s", cas);
        assertThat(sequences.reserve("s", 1).block().first()).isEqualTo(2);
    }

    @Test
    void a_document_left_frozen_is_drawn_from_after_a_moment() {
        sequences.create(SequenceDefinition.of("s"));
        sequences.reserve("s", 3);
        String frozen = BUCKET.text(prefix + "s").replaceFirst("\"guard\":\\{[^}]*}", "\"guard\":{}");
        BUCKET.put(prefix + "s", frozen);
        long began = System.nanoTime();
        assertThat(sequences.reserve("s", 2).block()).isEqualTo(new Block(4, 2, 1));
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Rewriting.FROZEN);
        assertThat(sequences.reserve("s", 2).block()).isEqualTo(new Block(6, 2, 1));
    }

    @Test
    void closing_a_store_on_a_collection_of_the_callers_leaves_that_open() {
        CouchbaseStore.open(BUCKET.collection(), BUCKET.sequences().withPrefix(prefix))
                .close();
        assertThatCode(() -> BUCKET.increment(prefix + "still open")).doesNotThrowAnyException();
    }

    @Test
    void documents_never_expire() {
        sequences.create(SequenceDefinition.of("s"));
        counters.create(SequenceDefinition.of("c"));
        sequences.reserve("s", 1);
        counters.reserve("c", 1);
        for (String key : List.of("s", "c", "#names")) {
            assertThat(BUCKET.collection()
                            .get(prefix + key, GetOptions.getOptions().withExpiry(true))
                            .expiryTime())
                    .as(key)
                    .isEmpty();
        }
    }
}
