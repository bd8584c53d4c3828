// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import java.util.Arrays;

/** A heap of lanes by a time of each: the one with the lowest is on top. */
final class Merge {

    private long[] keys = new long[16];
    private OrderedLane[] lanes = new OrderedLane[16];
    private int size;

    void clear() {
        Arrays.fill(lanes, 0, size, null);
        size = 0;
    }

    boolean isEmpty() {
        return size == 0;
    }

    long key() {
        return keys[0];
    }

    OrderedLane lane() {
        return lanes[0];
    }

    void add(long key, OrderedLane lane) {
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, 2 * size);
            lanes = Arrays.copyOf(lanes, 2 * size);
        }
        int at = size++;
        while (at > 0 && keys[(at - 1) / 2] > key) {
            move((at - 1) / 2, at);
            at = (at - 1) / 2;
        }
        keys[at] = key;
        lanes[at] = lane;
    }

    /** Gives the lane on top another time. */
    void replace(long key) {
        sink(key, lanes[0]);
    }

    /** Removes the lane on top. */
    void remove() {
        size--;
        if (size > 0) {
            sink(keys[size], lanes[size]);
        }
        lanes[size] = null;
    }

    private void sink(long key, OrderedLane lane) {
        int at = 0;
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && keys[child + 1] < keys[child]) {
                child++;
            }
            if (keys[child] >= key) {
                break;
            }
            move(child, at);
            at = child;
        }
        keys[at] = key;
        lanes[at] = lane;
    }

    private void move(int from, int to) {
        keys[to] = keys[from];
        lanes[to] = lanes[from];
    }
}
