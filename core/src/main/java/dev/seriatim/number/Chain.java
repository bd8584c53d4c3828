// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

/** Applies one transform and then another. */
record Chain(Transform first, Transform second) implements Transform {

    @Override
    public long apply(long number) {
        return second.apply(first.apply(number));
    }

    @Override
    public long invert(long transformed) {
        return first.invert(second.invert(transformed));
    }

    @Override
    public boolean hasRange() {
        return first.hasRange() || second.hasRange();
    }

    @Override
    public boolean skips(long number) {
        return first.skips(number) || second.skips(first.apply(number));
    }
}
