// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

/** Maps every number to itself. */
record Identity() implements Transform {

    @Override
    public long apply(long number) {
        return number;
    }

    @Override
    public long invert(long transformed) {
        return transformed;
    }
}
