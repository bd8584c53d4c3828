// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.TransactionContext;
import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.GroupedSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceListener;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Server;
import dev.seriatim.servers.SpannerEmulator;
import dev.seriatim.store.TransactionalSequence;
import dev.seriatim.store.TransactionalStore;
import dev.seriatim.testkit.Crowd;
import dev.seriatim.testkit.History;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Eight threads draw fifty numbers each, in every mode, on a normal emulator and on one that aborts at random. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class EveryModeTest {

    private static final int THREADS = 8;
    private static final int DRAWS = 50;
    private static final long ALL = THREADS * DRAWS;

    private final Place place = place();
    private @Nullable Server aborting;

    /** Returns where the sequences are. */
    Place place() {
        return Place.GOOGLE;
    }

    /** The behaviour of an emulator. */
    enum Weather {
        CALM,
        ABORTING
    }

    private EmulatorDatabase database(Weather weather) {
        if (weather == Weather.CALM) {
            return EmulatorDatabase.at(place, place.numbers());
        }
        aborting = SpannerEmulator.start("--enable_fault_injection");
        return EmulatorDatabase.on(aborting.address(), place, place.numbers());
    }

    @AfterEach
    void stop() {
        if (aborting != null) {
            aborting.close();
        }
    }

    static List<Arguments> modes() {
        return List.of(Weather.values()).stream()
                .flatMap(weather -> List.of(
                                Allocation.async(),
                                Allocation.combined(),
                                Allocation.batch(20),
                                Allocation.asyncBatch(20, 5),
                                Allocation.adaptive())
                        .stream()
                        .map(mode -> Arguments.of(weather, mode)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void deals_every_number_once_in_transactions_of_its_own(Weather weather, Allocation mode) {
        EmulatorDatabase database = database(weather);
        try (SpannerStore store = database.store()) {
            store.create(SequenceDefinition.of("s"));
            Books books = new Books();
            History history = drawn(store, mode, books);
            assertThat(history.duplicates()).isZero();
            assertThat(history.size()).isEqualTo(ALL);
            if (mode instanceof Allocation.Async || mode instanceof Allocation.Combined) {
                assertThat(history.orderViolations(true)).isZero();
                assertThat(books.lost.get()).isZero();
            }
            // Everything that the counter has passed was dealt or reported lost.
            assertThat(store.describe("s").nextValue() - 1).isEqualTo(ALL + books.lost.get());
        }
    }

    private static History drawn(SpannerStore store, Allocation mode, Books books) {
        try (StoreSequences sequences =
                StoreSequences.builder(store).listener(books).build()) {
            Sequence sequence = sequences.open("s", mode);
            return new Crowd(THREADS, DRAWS).draw((thread, turn) -> one(sequence.next()));
        }
    }

    /** Counts reserved values that were never dealt. */
    private static final class Books implements SequenceListener {
        final AtomicLong lost = new AtomicLong();

        @Override
        public void lost(String name, Block values) {
            lost.addAndGet(values.count());
        }
    }

    static List<Arguments> generators() {
        return List.of(
                Arguments.of(Weather.CALM, true),
                Arguments.of(Weather.CALM, false),
                Arguments.of(Weather.ABORTING, true),
                Arguments.of(Weather.ABORTING, false));
    }

    @ParameterizedTest
    @MethodSource("generators")
    void leaves_no_gap_in_the_callers_transactions(Weather weather, boolean once) {
        EmulatorDatabase database = database(weather);
        try (SpannerStore store = database.store()) {
            store.create(SequenceDefinition.of("s"));
            TransactionalStore<TransactionContext> draws = once ? store.onceInTransaction() : store;
            TransactionalSequence<TransactionContext> sequence = TransactionalSequence.of(draws, "s");
            AtomicInteger attempts = new AtomicInteger();
            History history = new Crowd(THREADS, DRAWS).draw((thread, turn) -> {
                Long number = database.client().readWriteTransaction().run(transaction -> {
                    long drawn = sequence.next(transaction);
                    transaction.buffer(row(drawn));
                    attempts.incrementAndGet();
                    return drawn;
                });
                return one(number);
            });
            if (weather == Weather.ABORTING) {
                assertThat(attempts.get())
                        .as("attempts, some of them aborted at commit")
                        .isGreaterThan(THREADS * DRAWS);
            }
            assertThat(history.duplicates()).isZero();
            assertThat(history.orderViolations(true)).isZero();
            assertGapless(database, store);
        }
    }

    @ParameterizedTest
    @MethodSource("weathers")
    void leaves_no_gap_in_transactions_that_callers_share(Weather weather) {
        EmulatorDatabase database = database(weather);
        try (SpannerStore store = database.store();
                StoreSequences sequences = StoreSequences.of(store)) {
            store.create(SequenceDefinition.of("s"));
            GroupedSequence<TransactionContext> sequence = sequences.grouped("s", store);
            History history = new Crowd(THREADS, DRAWS)
                    .draw((thread, turn) -> one(sequence.<Long, RuntimeException>commit(t -> {
                        long drawn = t.next();
                        t.transaction().buffer(row(drawn));
                        return drawn;
                    })));
            assertThat(history.duplicates()).isZero();
            assertThat(history.orderViolations(true)).isZero();
            assertGapless(database, store);
        }
    }

    static List<Weather> weathers() {
        return List.of(Weather.values());
    }

    private static void assertGapless(EmulatorDatabase database, SpannerStore store) {
        assertThat(database.numbers("SELECT number FROM numbers ORDER BY number"))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, ALL).boxed().toList());
        assertThat(store.describe("s").nextValue()).isEqualTo(ALL + 1);
    }

    private static Mutation row(long number) {
        return Mutation.newInsertBuilder("numbers").set("number").to(number).build();
    }

    private static Block one(long number) {
        return new Block(number, 1, 1);
    }
}
