// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.memory;

import dev.seriatim.SequenceException;
import dev.seriatim.conservation.Ground;
import dev.seriatim.conservation.Ledger;
import dev.seriatim.conservation.RandomChoices;
import dev.seriatim.conservation.StoredRow;
import dev.seriatim.engine.HookedStore;
import dev.seriatim.store.ConfirmingStore;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.ImmediateStore;
import dev.seriatim.store.Pool;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.PoolingStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SavepointTransaction;
import dev.seriatim.store.SequenceCatalog;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.store.SharedTransaction;
import dev.seriatim.store.TransactionScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Counters in memory with an application's table and savepoints, and every failure that a store may have. */
public final class MemoryGround implements Ground<InMemoryTransaction> {

    private static final int MOST_HANGING = 2;

    private static final class Conflict extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private static final class Failed extends Exception {
        private static final long serialVersionUID = 1L;

        Failed(String what) {
            super(what);
        }
    }

    private final HookedStore hooked = new HookedStore();
    private final InMemoryStore memory = hooked.memory;
    private final Map<InMemoryTransaction, List<StoredRow>> pages = new ConcurrentHashMap<>();
    private final Map<InMemoryTransaction, SharedTransaction.Drawn> turns = new ConcurrentHashMap<>();
    private final Set<InMemoryTransaction> spoiled = ConcurrentHashMap.newKeySet();
    private final List<StoredRow> kept = new CopyOnWriteArrayList<>();
    private final CountDownLatch hanging = new CountDownLatch(1);
    private final AtomicInteger hung = new AtomicInteger();

    @Override
    public String name() {
        return "s";
    }

    @Override
    public int leastPatience() {
        return 2;
    }

    @Override
    public SequenceCatalog catalog() {
        return memory;
    }

    @Override
    public SequenceStore store(RandomChoices chance, Ledger ledger) {
        hooked.hook = (name, count) -> before(name, count, chance);
        hooked.dealing = count -> count > 1 && chance.strikes() ? 1 + chance.pick((int) Math.min(count, 100)) : count;
        hooked.answered = ledger::reserved;
        hooked.givingBack = (name, count) -> {
            if (chance.strikes()) {
                throw new SequenceException.Unavailable(name, "down", null);
            }
        };
        hooked.givenBack = (name, block) -> {
            if (chance.strikes()) {
                ledger.dealt(name, block);
                throw new SequenceException.CommitOutcomeUnknown(name, null);
            }
        };
        return chance.oneIn(4) ? immediate(chance, ledger) : hooked;
    }

    private void before(String name, long count, RandomChoices chance) throws InterruptedException {
        if (chance.strikes()) {
            if (chance.oneIn(5)) {
                memory.reserve(name, count);
                throw new SequenceException.CommitOutcomeUnknown(name, null);
            }
            fail(name, chance);
        }
        chance.pause(200);
    }

    /** Fails, hangs, or is slow. */
    private void fail(String name, RandomChoices chance) throws InterruptedException {
        switch (chance.pick(6)) {
            case 0 -> throw new SequenceException.Unavailable(name, "down", null);
            case 1 -> throw new NoClassDefFoundError("org/driver/Some");
            case 2 -> throw new IllegalStateException("a failure of the store");
            case 3 -> throw new SequenceException.Overloaded(name, "another session caused a conflict", null);
            case 4 -> {
                if (hung.getAndIncrement() < MOST_HANGING) {
                    hanging.await(300, TimeUnit.MILLISECONDS);
                }
            }
            default -> chance.pause(3_000);
        }
    }

    private void failQuietly(String name, RandomChoices chance) {
        try {
            if (chance.strikes()) {
                fail(name, chance);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private SequenceStore immediate(RandomChoices chance, Ledger ledger) {
        class Immediate implements ImmediateStore, ConfirmingStore {
            @Override
            public Optional<Reservation> reserveNow(String name, long count) {
                if (chance.strikes()) {
                    switch (chance.pick(3)) {
                        case 0 -> throw new NoClassDefFoundError("org/driver/Some");
                        case 1 -> throw new SequenceException.Unavailable(name, "down", null);
                        default -> {
                            return Optional.empty();
                        }
                    }
                }
                Optional<Reservation> reservation = memory.reserveNow(name, count);
                reservation.ifPresent(reserved -> ledger.reserved(name, reserved.block()));
                return reservation;
            }

            @Override
            public Reservation reserve(String name, long count) {
                return hooked.reserve(name, count);
            }

            @Override
            public SequenceState read(String name) {
                return hooked.read(name);
            }
        }

        return new Immediate();
    }

    @Override
    public TransactionScope<InMemoryTransaction> scope(RandomChoices chance) {
        return new TransactionScope<>() {
            @Override
            public Reservation reserve(InMemoryTransaction transaction, String name, long count) {
                return reserve(transaction, name, count, Duration.ofSeconds(10));
            }

            @Override
            public Reservation reserve(InMemoryTransaction transaction, String name, long count, Duration patience) {
                return drawn(transaction, name, count, patience, chance);
            }

            @Override
            public <R, X extends Exception> R inTransaction(Work<InMemoryTransaction, R, X> work) throws X {
                R result = memory.<R, X>inTransaction(transaction -> {
                    R done = work.run(transaction);
                    if (chance.strikes()) {
                        throw chance.oneIn(2)
                                ? new SequenceException.Overloaded("s", "another session caused a conflict", null)
                                : new SequenceException.Misconfigured("s", "rejected at commit");
                    }
                    return done;
                });
                if (chance.strikes()) {
                    throw new SequenceException.CommitOutcomeUnknown("s", null);
                }
                return result;
            }
        };
    }

    private Reservation drawn(
            InMemoryTransaction transaction, String name, long count, Duration patience, RandomChoices chance) {
        failQuietly(name, chance);
        Reservation reservation = memory.reserve(transaction, name, count, patience);
        failQuietly(name, chance);
        return reservation;
    }

    @Override
    public GroupingStore<InMemoryTransaction> groups(RandomChoices chance) {
        boolean savepoints = chance.oneIn(2);
        return new GroupingStore<>() {
            @Override
            public SharedTransaction<InMemoryTransaction> begin(String name) {
                failQuietly(name, chance);
                InMemoryStore.Group group = (InMemoryStore.Group) memory.begin(name);
                return savepoints ? new WithSavepoints(group, chance) : new Shared(group, chance);
            }

            @Override
            public boolean answers(String name) {
                failQuietly(name, chance);
                return true;
            }
        };
    }

    private class Shared implements SharedTransaction<InMemoryTransaction> {
        final InMemoryStore.Group group;
        final RandomChoices chance;

        Shared(InMemoryStore.Group group, RandomChoices chance) {
            this.group = group;
            this.chance = chance;
        }

        @Override
        public InMemoryTransaction handle(Drawn drawn) {
            turns.put(group.transaction(), drawn);
            return group.transaction();
        }

        @Override
        public SequenceState counter() {
            return group.counter();
        }

        @Override
        public Blame blame(Throwable thrown) {
            if (thrown instanceof Conflict) {
                return Blame.OTHER_SESSION;
            }
            return spoiled.contains(group.transaction()) ? Blame.EARLIER_UNIT : Blame.UNIT;
        }

        @Override
        public void commit(SequenceState after) {
            boolean sent = false;
            try {
                if (spoiled.contains(group.transaction())) {
                    throw new SequenceException.Misconfigured(
                            name(), "a unit failed without reporting it; let its exception propagate");
                }
                failQuietly(name(), chance);
                sent = true;
            } finally {
                if (!sent) {
                    group.rollback();
                }
            }
            group.commit(after);
            if (chance.strikes()) {
                if (chance.oneIn(3)) {
                    throw new NoClassDefFoundError("org/driver/Some"); // like a store that breaks its contract
                }
                throw new SequenceException.CommitOutcomeUnknown(name(), null);
            }
        }

        @Override
        public void rollback() {
            group.rollback();
            failQuietly(name(), chance);
        }
    }

    private final class WithSavepoints extends Shared implements SavepointTransaction<InMemoryTransaction> {
        WithSavepoints(InMemoryStore.Group group, RandomChoices chance) {
            super(group, chance);
        }

        @Override
        public Mark mark() {
            failQuietly(name(), chance);
            if (spoiled.contains(group.transaction())) {
                throw new SequenceException.Misconfigured(
                        name(), "a unit failed without reporting it; let its exception propagate");
            }
            Undo point = point(group.transaction());
            return () -> {
                failQuietly(name(), chance);
                try {
                    point.back();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            };
        }
    }

    @Override
    public PoolingStore<InMemoryTransaction> pools(RandomChoices chance) {
        return new PoolingStore<>() {
            @Override
            public Pool<InMemoryTransaction> pool(String name) {
                return failing(memory.pool(name), name, chance);
            }

            @Override
            public Optional<PoolState> poolState(String name) {
                return memory.poolState(name);
            }

            @Override
            public Reservation reserve(InMemoryTransaction transaction, String name, long count) {
                return reserve(transaction, name, count, Duration.ofSeconds(10));
            }

            @Override
            public Reservation reserve(InMemoryTransaction transaction, String name, long count, Duration patience) {
                return drawn(transaction, name, count, patience, chance);
            }
        };
    }

    private Pool<InMemoryTransaction> failing(Pool<InMemoryTransaction> pool, String name, RandomChoices chance) {
        return new Pool<>() {
            @Override
            public Claim claim(InMemoryTransaction transaction, int count) {
                failQuietly(name, chance);
                if (chance.strikes() && chance.oneIn(4)) {
                    return new Claim(List.of(), 0, true);
                }
                Claim claim = pool.claim(transaction, count);
                failQuietly(name, chance);
                return claim;
            }

            @Override
            public Extent layOut(long count) {
                failQuietly(name, chance);
                Extent extent = pool.layOut(count);
                if (chance.strikes()) {
                    throw new SequenceException.CommitOutcomeUnknown(name, null);
                }
                failQuietly(name, chance);
                return extent;
            }
        };
    }

    @Override
    public void keep(InMemoryTransaction transaction, StoredRow row) throws Failed {
        if (spoiled.contains(transaction)) {
            throw new Failed("nothing works since a statement failed");
        }
        pages.computeIfAbsent(transaction, absent -> {
                    List<StoredRow> page = new ArrayList<>();
                    transaction.onCommit(() -> kept.addAll(page));
                    return page;
                })
                .add(row);
    }

    @Override
    public Undo mark(InMemoryTransaction transaction) throws Failed {
        if (spoiled.contains(transaction)) {
            throw new Failed("nothing works since a statement failed");
        }
        SharedTransaction.@Nullable Drawn turn = turns.get(transaction);
        SharedTransaction.Drawn.@Nullable Place place = turn == null ? null : turn.here();
        Undo point = point(transaction);
        return () -> {
            if (place != null) {
                place.back();
            }
            point.back();
        };
    }

    /** A savepoint of rows, claims and page, but not of what a turn has drawn. */
    private Undo point(InMemoryTransaction transaction) {
        Map<InMemoryRow, SequenceState> states = new HashMap<>();
        transaction.before.keySet().forEach(row -> states.put(row, row.state));
        Map<InMemoryPool, Integer> claims = new HashMap<>();
        transaction.claims.forEach((pool, places) -> claims.put(pool, places.size()));
        int size = page(transaction).size();
        return () -> {
            transaction.before.forEach((row, before) -> row.state = states.getOrDefault(row, before));
            transaction.claims.forEach((pool, places) -> {
                List<Long> since = places.subList(claims.getOrDefault(pool, 0), places.size());
                pool.settle(since, false);
                since.clear();
            });
            List<StoredRow> page = page(transaction);
            page.subList(size, page.size()).clear();
            spoiled.remove(transaction);
        };
    }

    private List<StoredRow> page(InMemoryTransaction transaction) {
        List<StoredRow> page = pages.get(transaction);
        return page == null ? new ArrayList<>() : page;
    }

    @Override
    public void spoil(InMemoryTransaction transaction) throws Failed {
        spoiled.add(transaction);
        throw new Failed("a statement failed");
    }

    @Override
    public Exception conflict() {
        return new Conflict();
    }

    @Override
    public List<StoredRow> kept() {
        return kept;
    }

    @Override
    public List<Long> laidOut() {
        return memory.poolState("s").stream()
                .flatMap(state -> state.laidOut().stream())
                .flatMap(block -> block.values().boxed())
                .toList();
    }

    @Override
    public void calm() {
        hanging.countDown();
    }
}
