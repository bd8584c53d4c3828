// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static dev.seriatim.conservation.TestProperties.Property.DEVIATIONS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceListener;
import dev.seriatim.conservation.ForwardingStore;
import dev.seriatim.conservation.Ledger;
import dev.seriatim.conservation.TestProperties;
import dev.seriatim.memory.PlayedStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * CONFIRMED in two instances with three callers, in every schedule that differs from the usual one in at most a few decisions of
 * who continues: one, or in the long tier two, or {@code -Dseriatim.schedule.deviations=3}. A decision is due wherever a lock is taken or released, the
 * store, the executor or a listener is called, and in the store before a row is read or written.
 */
@Execution(ExecutionMode.CONCURRENT)
class ConfirmedModelTest {

    private static final String NAME = "s";

    /** What happens beside two callers of an instance that holds values, and one of another instance. */
    private enum Beside {
        NOTHING {
            @Override
            void run(Model model) {}
        },
        RAISE {
            @Override
            void run(Model model) {
                model.store.raise(NAME, model.store.state.nextValue() + 1);
            }
        },
        RESTART_WHERE_IT_STANDS {
            @Override
            void run(Model model) {
                model.store.restart(NAME, model.store.state.nextValue());
            }
        },
        THE_HOLDER_GIVES_BACK {
            @Override
            void run(Model model) {
                model.holding.close();
            }
        },
        THE_OTHER_GIVES_BACK {
            @Override
            void run(Model model) {
                model.other.close();
            }
        },
        ANOTHER_SESSION_RESERVES_AND_GIVES_BACK {
            @Override
            void run(Model model) {
                int began = model.clock++;
                Reservation reserved = model.store.reserve(NAME, 2);
                Block block = reserved.block();
                int ended = model.clock++;
                if (model.store.giveBack(NAME, block, reserved.epoch())) {
                    model.ledger.givenBack(NAME, block);
                } else {
                    model.ledger.dealt(NAME, block);
                    model.draws.add(new Draw(began, ended, block.first()));
                }
            }
        };

        abstract void run(Model model);
    }

    private record Draw(int began, int ended, long value) {}

    /** One schedule. */
    private static final class Model {
        private final Schedule schedule;
        private final Ledger ledger = new Ledger();
        private final PlayedStore store;
        private final Sequence holding;
        private final Sequence other;
        private final List<Draw> draws = new ArrayList<>();
        private int clock;

        Model(ActorThreads threads, ScheduleCourse course, Beside beside, boolean onCallers) {
            schedule = new Schedule(1, threads, true);
            store = new PlayedStore(schedule, ledger, SequenceDefinition.of(NAME), Duration.ofSeconds(10));
            store.instant = true;
            holding = open(onCallers);
            other = open(onCallers);
            schedule.start("first", () -> {
                while (store.state.nextValue() < 7) {
                    draw(holding::next); // until the instance holds values
                }
                schedule.follow(course);
                schedule.start("caller", () -> {
                    draw(holding::next);
                    draw(holding::next);
                });
                schedule.start("caller", () -> draw(holding::next));
                schedule.start("caller", () -> draw(other::next));
                schedule.start("beside", () -> beside.run(this));
            });
        }

        private Sequence open(boolean onCallers) {
            ForwardingStore<PlayedStore> asked = new ForwardingStore<>(store) {
                @Override
                public Optional<SequenceState> readHere(String name, Duration atMost) {
                    return onCallers ? store.readHere(name, atMost) : Optional.empty();
                }
            };
            return StoreSequences.builder(asked)
                    .timing(schedule)
                    .patience(Duration.ofSeconds(10))
                    .executor(work -> {
                        schedule.start("refill", work);
                        schedule.offer("hands over");
                    })
                    .giveBackOnClose(true)
                    .listener(listener())
                    .build()
                    .open(NAME, Allocation.confirmed(4));
        }

        private SequenceListener listener() {
            return new SequenceListener() {
                @Override
                public void reserved(String sequence, Block block, Duration took) {
                    schedule.offer("reservation reported");
                }

                @Override
                public void lost(String sequence, Block values) {
                    ledger.lost(sequence, values);
                    schedule.offer("loss reported");
                }

                @Override
                public void givenBack(String sequence, Block values) {
                    ledger.givenBack(sequence, values);
                    schedule.offer("return reported");
                }
            };
        }

        private void draw(LongSupplier next) {
            int began = clock++;
            try {
                long value = next.getAsLong();
                draws.add(new Draw(began, clock++, value));
                ledger.dealt(NAME, new Block(value, 1, 1));
            } catch (IllegalStateException closed) {
                schedule.note("closed");
            }
        }

        List<String> faults() {
            schedule.play();
            schedule.left().forEach(actor -> schedule.fault("never ends: " + Schedule.shown(actor)));
            Set<Long> values = new HashSet<>();
            for (Draw later : draws) {
                if (!values.add(later.value())) {
                    schedule.fault(later.value() + " is dealt twice");
                }
                for (Draw earlier : draws) {
                    if (earlier.ended() < later.began() && earlier.value() >= later.value()) {
                        schedule.fault("out of order: " + later + " began after " + earlier + " had returned");
                    }
                }
            }
            return schedule.faults();
        }
    }

    @ParameterizedTest
    @EnumSource
    void no_schedule_breaks_the_order(Beside beside) {
        playAll(beside, 1);
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource
    void nor_does_one_with_more_deviations(Beside beside) {
        playAll(beside, TestProperties.ofThisJvm().count(DEVIATIONS, 2));
    }

    private static void playAll(Beside beside, int deviations) {
        long began = System.nanoTime();
        ActorThreads threads = new ActorThreads();
        int schedules = 0;
        for (boolean onCallers : new boolean[] {true, false}) {
            ScheduleCourse course = new ScheduleCourse(deviations);
            do {
                Model model = new Model(threads, course, beside, onCallers);
                assertThat(model.faults())
                        .as(() -> String.join("\n", model.schedule.trace()))
                        .isEmpty();
                schedules++;
            } while (course.turn());
        }
        threads.close();
        System.out.printf(
                "confirmed, beside %s: all %,d schedules with at most %d deviations, %.1f s%n",
                beside, schedules, deviations, (System.nanoTime() - began) / 1e9);
    }
}
