// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.math.BigInteger;

/** The numbers from {@code lowest} to {@code highest}, both included. */
public record ValueRange(BigInteger lowest, BigInteger highest) {

    /** Returns the end in a direction. */
    public BigInteger end(boolean ascending) {
        return ascending ? highest : lowest;
    }
}
