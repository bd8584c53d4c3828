// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.inspect;

import java.math.BigInteger;

/** The numbers from {@code lowest} to {@code highest}, both included. */
public record ValueRange(BigInteger lowest, BigInteger highest) {}
