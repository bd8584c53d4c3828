// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.advise;

import dev.seriatim.GroupedSequence;
import dev.seriatim.bench.simulation.ModeProfile;
import dev.seriatim.bench.simulation.StoreTimes;
import dev.seriatim.cli.draw.DrawMode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The load that one instance puts on a store. Block size and mark follow the rule of the mode ADAPTIVE. Immutable.
 *
 * @param perSecond values drawn per second, above 0
 * @param latency how long a reservation, or the caller's transaction, keeps the row; above 0
 * @param measuredRead how long a read of the counter takes; above 0; null if that is not known
 */
record ExpectedLoad(
        BigDecimal perSecond, Duration latency, @Nullable Duration measuredRead) {

    private static final BigDecimal HORIZON_SECONDS = new BigDecimal("0.1");
    private static final BigDecimal LATENCIES_PER_BLOCK = BigDecimal.valueOf(6);
    private static final BigDecimal HEADROOM = BigDecimal.valueOf(2);

    /** Returns how long a read of the counter takes; as long as a reservation if that is not known. */
    Duration readLatency() {
        return measuredRead == null ? latency : measuredRead;
    }

    /** Returns the values left at which the next block must be fetched so that no caller waits: 2 × rate × latency. */
    long lowWaterMark() {
        return atLeastOne(HEADROOM.multiply(perSecond).multiply(seconds()));
    }

    /** Returns the number of values drawn in 100 ms or in 6 latencies, whichever is longer; never below the mark. */
    long blockSize() {
        BigDecimal horizon = HORIZON_SECONDS.max(LATENCIES_PER_BLOCK.multiply(seconds()));
        return Math.max(lowWaterMark(), atLeastOne(perSecond.multiply(horizon)));
    }

    /** Returns how many callers wait at the same time at this rate: the values requested during one reservation. */
    long callers() {
        return atLeastOne(perSecond.multiply(seconds()));
    }

    /** Returns how many callers wait at the same time if each waits for a read: the values requested during one. */
    long callersOfReads() {
        return atLeastOne(perSecond.multiply(seconds(readLatency())));
    }

    /** Returns how many reservations per second the row can serve, one after another. */
    BigDecimal reservationLimit() {
        return BigDecimal.ONE.divide(seconds(), MathContext.DECIMAL64);
    }

    /** Returns how many reads per second a caller can wait for, one after another. */
    BigDecimal readLimit() {
        return BigDecimal.ONE.divide(seconds(readLatency()), MathContext.DECIMAL64);
    }

    /** Returns the part of the rate that a mode reaches with this number of callers. */
    BigDecimal reached(DrawMode mode, long callers) {
        int most = (int) Math.min(Integer.MAX_VALUE, callers);
        return perSecond.min(BigDecimal.valueOf(ModeProfile.of(mode).limit().perSecond(most, times(seconds()), 0)));
    }

    /** Returns whether one reservation per value keeps the row busy for at most this share of the time. */
    boolean servedOneByOne(String share) {
        return perSecond.multiply(seconds()).compareTo(new BigDecimal(share)) <= 0;
    }

    /** Returns the reservations per second if each takes this number of values. */
    BigDecimal reservations(long values) {
        return perSecond.divide(BigDecimal.valueOf(values), MathContext.DECIMAL64);
    }

    /**
     * Returns the maximum part of the latency for which callers may work inside the transaction so that the mode reaches
     * the rate; the rest is the reservation and its commit.
     */
    Duration longestWork(DrawMode mode) {
        double whole = seconds().doubleValue();
        double enough = 0;
        double tooLong = whole;
        for (int i = 0; i < 50; i++) {
            double work = (enough + tooLong) / 2;
            double limit = ModeProfile.of(mode)
                    .limit()
                    .perSecond(GroupedSequence.MOST_UNITS, StoreTimes.of(whole - work), work);
            if (limit >= perSecond.doubleValue()) {
                enough = work;
            } else {
                tooLong = work;
            }
        }
        return Duration.ofNanos((long) (enough * 1e9));
    }

    private StoreTimes times(BigDecimal reservation) {
        return StoreTimes.of(reservation.doubleValue())
                .withRead(seconds(readLatency()).doubleValue());
    }

    private BigDecimal seconds() {
        return seconds(latency);
    }

    private static BigDecimal seconds(Duration duration) {
        return BigDecimal.valueOf(duration.toNanos(), 9);
    }

    private static long atLeastOne(BigDecimal value) {
        return value.setScale(0, RoundingMode.CEILING)
                .toBigInteger()
                .max(BigInteger.ONE)
                .longValueExact();
    }
}
