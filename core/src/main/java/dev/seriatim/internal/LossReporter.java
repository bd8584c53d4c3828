// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.internal;

/** A sequence that reports numbers as lost if a view could not convert them. */
public interface LossReporter {

    /** Reports {@code count} numbers of this sequence as lost: {@code first}, {@code first + increment}, … */
    void reportLost(long first, long count, long increment);
}
