// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import java.util.SplittableRandom;

/** Seeded random numbers. Small counts are exact; large ones use the normal approximation, so that the cost does not grow with them. */
final class Distributions {

    private static final double FEW = 30;

    private final SplittableRandom random;

    Distributions(SplittableRandom random) {
        this.random = random;
    }

    /** Returns a waiting time with mean 1. */
    double exponential() {
        return random.nextExponential();
    }

    /** Returns the sum of {@code shape} waiting times. Marsaglia and Tsang, ACM Transactions on Mathematical Software 26 (2000). */
    double gamma(long shape) {
        double d = shape - 1.0 / 3;
        double c = 1 / Math.sqrt(9 * d);
        while (true) {
            double x = random.nextGaussian();
            double v = 1 + c * x;
            if (v > 0) {
                v = v * v * v;
                if (Math.log(1 - random.nextDouble()) < x * x / 2 + d - d * v + d * Math.log(v)) {
                    return d * v;
                }
            }
        }
    }

    long poisson(double mean) {
        if (mean > FEW) {
            return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.nextGaussian()));
        }
        long count = 0;
        for (double sum = exponential(); sum < mean; sum += exponential()) {
            count++;
        }
        return count;
    }

    long binomial(long trials, double probability) {
        if (trials <= FEW) {
            long count = 0;
            for (long i = 0; i < trials; i++) {
                count += random.nextDouble() < probability ? 1 : 0;
            }
            return count;
        }
        double rare = trials * Math.min(probability, 1 - probability);
        if (rare < FEW) {
            long few = Math.min(trials, poisson(rare));
            return probability < 0.5 ? few : trials - few;
        }
        double count =
                trials * probability + Math.sqrt(trials * probability * (1 - probability)) * random.nextGaussian();
        return Math.max(0, Math.min(trials, Math.round(count)));
    }
}
