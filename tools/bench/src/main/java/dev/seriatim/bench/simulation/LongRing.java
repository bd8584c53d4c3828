// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

/** A queue of numbers with a fixed capacity. */
final class LongRing {

    private final long[] slots;
    private int head;
    private int size;

    LongRing(int room) {
        slots = new long[room];
    }

    int size() {
        return size;
    }

    long get(int index) {
        int slot = head + index;
        return slots[slot < slots.length ? slot : slot - slots.length];
    }

    void add(long number) {
        int slot = head + size++;
        slots[slot < slots.length ? slot : slot - slots.length] = number;
    }

    long remove() {
        long first = slots[head];
        head = head + 1 == slots.length ? 0 : head + 1;
        size--;
        return first;
    }
}
