// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.couchbase.client.java.Bucket;
import com.couchbase.client.java.Cluster;
import com.couchbase.mock.CouchbaseMock;
import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Exhausted;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceDetails;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.testkit.Crowd;
import dev.seriatim.testkit.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** SQL++ sequences on a query service written to the documentation; see {@link QueryService}. Not run on a server. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CouchbaseNativeStoreTest {

    private static final CouchbaseMock MOCK = TestServer.mock();
    private static final QueryService SERVICE = QueryService.of(MOCK);
    private static final String URL = TestServer.url(MOCK, "default", "pw") + "&sequences=native";
    private static final String PATIENT = URL + TestServer.PATIENT;
    private static final String CONNECTION = URL.substring(0, URL.indexOf("/default?"));
    private static final OpenStore STORE = StoreDriver.open(PATIENT);

    @AfterAll
    static void stop() {
        STORE.close();
        MOCK.stop();
    }

    @BeforeEach
    void clear() {
        STORE.list().forEach(state -> STORE.drop(state.definition().name()));
        SERVICE.requests.clear();
    }

    private static long next(String name) {
        return STORE.reserve(name, 1).block().first();
    }

    @Test
    void generates_the_documented_statements() {
        STORE.create(SequenceDefinition.named("invoice")
                .startWith(1000L)
                .incrementBy(5)
                .cache(20)
                .build());
        STORE.create(SequenceDefinition.named("down")
                .incrementBy(-1)
                .maxValue(10L)
                .cycle(true)
                .build());
        STORE.reserve("invoice", 3);
        STORE.alter("invoice", d -> d.toBuilder().maxValue(5000L).build());
        STORE.restart("invoice", 50);
        STORE.drop("invoice");
        String listed =
                "SELECT s.`name`, s.`cycle`, TO_STRING(s.`increment`) AS `increment`, TO_STRING(s.`cache`) AS `cache`,"
                        + " TO_STRING(s.`min`) AS `min`, TO_STRING(s.`max`) AS `max`,"
                        + " TO_STRING(s.`value`.`~next_block`) AS `next` FROM system:all_sequences AS s"
                        + " WHERE s.`bucket` = $bucket AND s.`scope_id` = $scope AND s.`name` = $name"
                        + " ORDER BY s.`name`";
        String name = "`default`.`_default`.`invoice`";
        assertThat(SERVICE.statements())
                .containsExactly(
                        "CREATE SEQUENCE " + name + " START WITH 1000 INCREMENT BY 5 MINVALUE 1"
                                + " MAXVALUE 9223372036854775807 CACHE 20 NO CYCLE",
                        "CREATE SEQUENCE `default`.`_default`.`down` START WITH 10 INCREMENT BY -1 NO MINVALUE"
                                + " MAXVALUE 10 CACHE 100 CYCLE",
                        "SELECT RAW NEXTVAL FOR " + name + " FROM ARRAY_RANGE(0, $count) AS i",
                        listed,
                        "ALTER SEQUENCE " + name + " INCREMENT BY 5 MINVALUE 1 MAXVALUE 5000 CACHE 20 NO CYCLE",
                        listed,
                        listed,
                        "ALTER SEQUENCE " + name + " RESTART WITH 50",
                        listed,
                        "DROP SEQUENCE " + name);
        assertThat(SERVICE.requests.get(2).getLong("$count")).isEqualTo(3);
        assertThat(SERVICE.requests.get(3).toMap())
                .containsEntry("$bucket", "default")
                .containsEntry("$scope", "_default")
                .containsEntry("$name", "invoice")
                .containsEntry("readonly", true);
        assertThat(SERVICE.requests)
                .allSatisfy(request ->
                        assertThat(request.getString("timeout")).as("bounded").isNotBlank());
    }

    @Test
    void requests_many_values_at_once_and_returns_each_once() {
        STORE.create(SequenceDefinition.named("s").cache(20).build());
        List<Long> drawn = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            drawn.add(STORE.reserve("s", 50).block().first());
        }
        assertThat(drawn)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 50).boxed().toList());
        assertThat(SERVICE.statements()).hasSize(2);
        assertThat(STORE.reserve("s", 1_000_000).block().count()).isEqualTo(1);
        assertThat(SERVICE.requests.get(2).getLong("$count")).isEqualTo(1000);
    }

    static List<Allocation> modes() {
        return List.of(Allocation.async(), Allocation.batch(20), Allocation.asyncBatch(20, 5), Allocation.adaptive());
    }

    @ParameterizedTest
    @MethodSource("modes")
    void two_instances_on_two_nodes_get_every_value_once(Allocation mode) {
        STORE.create(SequenceDefinition.named("s").cache(7).build());
        try (OpenStore other = StoreDriver.open(PATIENT);
                StoreSequences one = StoreSequences.of(STORE);
                StoreSequences two = StoreSequences.of(other)) {
            List<Sequence> sequences = List.of(one.open("s", mode), two.open("s", mode));
            History history = new Crowd(8, 100)
                    .draw((thread, turn) -> new Block(sequences.get(thread % 2).next(), 1, 1));
            assertThat(history.size()).isEqualTo(800);
            assertThat(history.duplicates()).isZero();
        }
    }

    @Test
    void promises_no_order() {
        STORE.create(SequenceDefinition.named("s").cache(10).build());
        assertThat(STORE.ordered()).isFalse();
        assertThat(List.of(next("s"), next("s"), next("s"))).as("of two nodes").containsExactly(1L, 11L, 2L);
        try (StoreSequences sequences = StoreSequences.of(STORE)) {
            assertThatThrownBy(() -> sequences.ordered("s")).isInstanceOf(Misconfigured.class);
        }
    }

    @Test
    void deals_the_last_values_before_it_is_exhausted() {
        STORE.create(SequenceDefinition.named("s").maxValue(5L).cache(3).build());
        List<Long> drawn = new ArrayList<>();
        assertThatThrownBy(() -> {
                    while (true) {
                        drawn.add(STORE.reserve("s", 100).block().first());
                    }
                })
                .isInstanceOf(Exhausted.class)
                .hasMessageContaining("'s'")
                .hasMessageContaining("max value 5;");
        assertThat(drawn).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(STORE.describe("s").usedUp()).isTrue();
    }

    @Test
    void describes_and_lists_with_64_bits() {
        SequenceDefinition wide = SequenceDefinition.named("b")
                .minValue(Long.MIN_VALUE)
                .startWith(Long.MAX_VALUE - 7)
                .cache(3)
                .build();
        STORE.create(wide);
        STORE.create(SequenceDefinition.of("a"));
        assertThat(STORE.list()).extracting(state -> state.definition().name()).containsExactly("a", "b");
        assertThat(STORE.describe("a").definition()).isEqualTo(SequenceDefinition.of("a"));
        assertThat(STORE.describe("b").definition().min()).isEqualTo(Long.MIN_VALUE);
        assertThat(STORE.describe("b").nextValue()).isEqualTo(Long.MAX_VALUE - 7);
        assertThat(next("b")).isEqualTo(Long.MAX_VALUE - 7);
        assertThatThrownBy(() -> STORE.create(wide)).isInstanceOf(AlreadyExists.class);
    }

    @Test
    void alters_the_definition_and_goes_on() {
        STORE.create(SequenceDefinition.of("s"));
        STORE.reserve("s", 10);
        assertThat(STORE.alter(
                                "s",
                                d -> d.toBuilder()
                                        .incrementBy(10)
                                        .maxValue(500L)
                                        .cache(3)
                                        .cycle(true)
                                        .build())
                        .definition())
                .isEqualTo(SequenceDefinition.named("s")
                        .incrementBy(10)
                        .maxValue(500L)
                        .cache(3)
                        .cycle(true)
                        .build());
        assertThat(List.of(next("s"), next("s"), next("s"), next("s")))
                .doesNotHaveDuplicates()
                .allMatch(n -> n > 10);
        assertThatThrownBy(
                        () -> STORE.alter("s", d -> d.toBuilder().maxValue(50L).build()))
                .isInstanceOf(Misconfigured.class);
    }

    @Test
    void a_restart_drops_the_values_that_were_requested() {
        STORE.create(SequenceDefinition.of("s"));
        STORE.reserve("s", 10);
        STORE.restart("s", 500);
        assertThat(next("s")).isEqualTo(500);
        assertThatThrownBy(() -> STORE.restart("s", 0)).isInstanceOf(Misconfigured.class);
    }

    @Test
    void a_sequence_that_is_created_again_does_not_deal_what_was_left() {
        STORE.create(SequenceDefinition.of("s"));
        STORE.reserve("s", 10);
        STORE.drop("s");
        assertThatThrownBy(() -> STORE.reserve("s", 1)).isInstanceOf(NotFound.class);
        STORE.create(SequenceDefinition.named("s").startWith(70L).build());
        assertThat(next("s")).isEqualTo(70);
    }

    @Test
    void refuses_what_statements_cannot_do_safely() {
        STORE.create(SequenceDefinition.of("s"));
        STORE.reserve("s", 5);
        for (long value : List.of(500L, 50L)) { // also below the next block: a node deals from its own until then
            assertThatThrownBy(() -> STORE.raise("s", value))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("restart it");
        }
        assertThatThrownBy(() -> STORE.raise("t", 5)).isInstanceOf(NotFound.class);
        assertThat(STORE.giveBack("s", new Block(1, 1, 1), 0)).isFalse();
        assertThat(SERVICE.statements()).noneMatch(statement -> statement.startsWith("ALTER"));
    }

    @Test
    void names_never_reach_a_statement_unless_they_are_identifiers() {
        for (String name : List.of("a`b", "a.b", "a b", "ä", "1a", "a; DROP SEQUENCE b")) {
            assertThatThrownBy(() -> STORE.reserve(name, 1)).isInstanceOf(NotFound.class);
            assertThatThrownBy(() -> STORE.create(SequenceDefinition.of(name))).isInstanceOf(NotFound.class);
            assertThatThrownBy(() -> STORE.describe(name)).isInstanceOf(NotFound.class);
            assertThatThrownBy(() -> STORE.restart(name, 1)).isInstanceOf(NotFound.class);
            assertThatThrownBy(() -> STORE.alter(name, d -> d)).isInstanceOf(NotFound.class);
            assertThatThrownBy(() -> STORE.drop(name)).isInstanceOf(NotFound.class);
        }
        assertThat(SERVICE.requests).isEmpty();
    }

    @Test
    void a_scope_of_its_own_is_named() {
        try (OpenStore store = StoreDriver.open(PATIENT.replace("/default?", "/default/shop/any?"))) {
            store.create(SequenceDefinition.of("s"));
            store.drop("s");
            assertThat(STORE.list()).isEmpty();
        }
        assertThat(SERVICE.statements().get(1)).isEqualTo("DROP SEQUENCE `default`.`shop`.`s`");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    19106 | 0     | NotFound      | not found in bucket default, scope _default
                    19102 | 19106 | NotFound      | not found
                    19108 | 0     | AlreadyExists | already exists
                    5010  | 19111 | Exhausted     | max value
                    19100 | 0     | Misconfigured | use Couchbase Server 7.6
                    19101 | 12021 | Misconfigured | refuses it
                    3000  | 0     | Misconfigured | use Couchbase Server 7.6
                    13014 | 0     | Misconfigured | user
                    5000  | 0     | Unavailable   | failed
                    """)
    void translates_the_servers_codes(int code, int reason, String exception, String what) {
        STORE.create(SequenceDefinition.of("s"));
        SERVICE.fail(code, "the server's text", reason == 0 ? Map.of() : Map.of("code", reason));
        assertThatThrownBy(() -> STORE.reserve("s", 1))
                .satisfies(e -> assertThat(e.getClass().getSimpleName()).isEqualTo(exception))
                .hasMessageContaining(what)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void a_missing_sequence_is_named() {
        assertThatThrownBy(() -> STORE.reserve("s", 1))
                .isInstanceOf(NotFound.class)
                .hasMessageContaining("'s'");
        assertThatThrownBy(() -> STORE.describe("s")).isInstanceOf(NotFound.class);
        assertThatThrownBy(() -> STORE.restart("s", 1)).isInstanceOf(NotFound.class);
        assertThatThrownBy(() -> STORE.drop("s"))
                .isInstanceOf(NotFound.class)
                .message()
                .doesNotContain("create it");
    }

    @Test
    void a_lost_answer_loses_values_and_repeats_none() {
        STORE.create(SequenceDefinition.of("s"));
        SERVICE.cut();
        assertThatThrownBy(() -> STORE.reserve("s", 10)).isInstanceOf(CommitOutcomeUnknown.class);
        assertThat(LongStream.generate(() -> next("s")).limit(20).distinct().count())
                .isEqualTo(20);
        SERVICE.cut();
        assertThat(STORE.describe("s").definition().name())
                .as("a read is repeated")
                .isEqualTo("s");
    }

    @Test
    void a_service_that_hangs_is_left_after_the_timeout() {
        STORE.create(SequenceDefinition.of("s"));
        CountDownLatch never = new CountDownLatch(1);
        try (Cluster cluster = Cluster.connect(CONNECTION, "default", "pw")) {
            Bucket bucket = cluster.bucket("default");
            bucket.waitUntilReady(Duration.ofSeconds(30));
            OpenStore hasty = new CouchbaseNativeStore(bucket.defaultScope(), Duration.ofSeconds(2), "here", () -> {});
            SERVICE.hold(never);
            assertThatThrownBy(() -> hasty.reserve("s", 5)).isInstanceOf(CommitOutcomeUnknown.class);
            SERVICE.hold(never);
            assertThatThrownBy(() -> hasty.describe("s")).isInstanceOf(Unavailable.class);
            assertThat(STORE.reserve("s", 5).block().count()).isEqualTo(1);
        } finally {
            never.countDown();
        }
    }

    @Test
    void an_interrupt_ends_the_wait() throws InterruptedException {
        STORE.create(SequenceDefinition.of("s"));
        CountDownLatch never = new CountDownLatch(1);
        SERVICE.hold(never);
        List<Throwable> thrown = new ArrayList<>();
        Thread caller = new Thread(() -> {
            try {
                STORE.reserve("s", 1);
            } catch (SequenceException e) {
                thrown.add(e);
            }
        });
        caller.start();
        while (SERVICE.requests.size() < 2) {
            Thread.sleep(5);
        }
        caller.interrupt();
        caller.join();
        never.countDown();
        assertThat(thrown).singleElement().isInstanceOf(CommitOutcomeUnknown.class);
    }

    @Test
    void says_that_it_was_not_run() {
        assertThat(STORE).hasToString("""
                Couchbase's SQL++ sequences, bucket default, scope _default at %s (neither ordered nor gapless; written \
                to Couchbase's documentation, not run)""".formatted(CONNECTION.substring(12)));
        STORE.create(SequenceDefinition.of("s"));
        assertThat(((SequenceDetails) STORE).details("s"))
                .containsEntry("tested", "no, written to Couchbase's documentation, not run");
    }
}
