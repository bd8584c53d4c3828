// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.advise;

import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.lab.model.ModeProfile;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;

/**
 * What one instance asks of a store. Block size and mark follow the rule of the mode ADAPTIVE.
 *
 * @param perSecond values drawn per second, above 0
 * @param latency how long a reservation, or the caller's transaction, keeps the row; above 0
 */
record ExpectedLoad(BigDecimal perSecond, Duration latency) {

    private static final BigDecimal HORIZON_SECONDS = new BigDecimal("0.1");
    private static final BigDecimal LATENCIES_PER_BLOCK = BigDecimal.valueOf(4);
    private static final BigDecimal HEADROOM = BigDecimal.valueOf(3);

    /** Values left at which the next block has to be fetched so that nobody waits: 3 × rate × latency. */
    long lowWaterMark() {
        return atLeastOne(HEADROOM.multiply(perSecond).multiply(seconds()));
    }

    /** What is used up in 100 ms or in 4 latencies, and never below the mark. */
    long blockSize() {
        BigDecimal horizon = HORIZON_SECONDS.max(LATENCIES_PER_BLOCK.multiply(seconds()));
        return Math.max(lowWaterMark(), atLeastOne(perSecond.multiply(horizon)));
    }

    /** Values asked for during one reservation. */
    long perReservation() {
        return atLeastOne(perSecond.multiply(seconds()));
    }

    /** Reservations that the row can serve per second, one after another. */
    BigDecimal reservationLimit() {
        return BigDecimal.ONE.divide(seconds(), MathContext.DECIMAL64);
    }

    /** What a mode reaches of the rate when so many callers wait at the same time. */
    BigDecimal reached(DrawMode mode, long callers) {
        int most = (int) Math.min(Integer.MAX_VALUE, callers);
        return perSecond.min(BigDecimal.valueOf(
                ModeProfile.of(mode).limit().perSecond(most, seconds().doubleValue(), 0)));
    }

    /** Whether the row serves one reservation per value, with that share of its time. */
    boolean servedOneByOne(String share) {
        return perSecond.multiply(seconds()).compareTo(new BigDecimal(share)) <= 0;
    }

    /** Reservations per second when each takes so many values. */
    BigDecimal reservations(long values) {
        return perSecond.divide(BigDecimal.valueOf(values), MathContext.DECIMAL64);
    }

    private BigDecimal seconds() {
        return BigDecimal.valueOf(latency.toNanos(), 9);
    }

    private static long atLeastOne(BigDecimal value) {
        return value.setScale(0, RoundingMode.CEILING)
                .toBigInteger()
                .max(BigInteger.ONE)
                .longValueExact();
    }
}
