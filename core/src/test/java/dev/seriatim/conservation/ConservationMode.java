// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import dev.seriatim.Allocation;

/** The modes, and the kind of round for each. */
public enum ConservationMode {
    ASYNC,
    COMBINED,
    CONFIRMED,
    BATCH,
    ASYNC_BATCH,
    ADAPTIVE,
    SYNC,
    GROUPED,
    POOLED;

    /** Plays one round and returns its faults; empty if there are none. */
    <T> String fault(Ground<T> ground, RandomChoices chance) throws Exception {
        Round<T> round = switch (this) {
            case SYNC -> new SyncRound<>(ground, chance);
            case GROUPED -> new GroupRound<>(ground, chance);
            case POOLED -> new PoolRound<>(ground, chance);
            default -> new DrawRound<>(ground, chance, this);
        };
        return round.fault();
    }

    boolean ordered() {
        return this == ASYNC || this == COMBINED || this == CONFIRMED;
    }

    /** Returns the allocation of a mode that draws in separate transactions. */
    Allocation allocation(RandomChoices chance) {
        int size = 1 + chance.pick(400);
        return switch (this) {
            case ASYNC -> Allocation.async();
            case COMBINED -> Allocation.combined();
            case CONFIRMED -> chance.oneIn(2) ? Allocation.confirmed() : Allocation.confirmed(size);
            case BATCH -> chance.oneIn(2) ? Allocation.batch() : Allocation.batch(size);
            case ASYNC_BATCH ->
                chance.oneIn(3)
                        ? Allocation.asyncBatch(2000, 1500)
                        : Allocation.asyncBatch(size, 1 + chance.pick(size));
            case ADAPTIVE -> chance.oneIn(2) ? Allocation.adaptive(10, 2000) : Allocation.adaptive(1, 1 + size);
            default -> throw new IllegalStateException(this + " draws in its callers' transactions");
        };
    }
}
