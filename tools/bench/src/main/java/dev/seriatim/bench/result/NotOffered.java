// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

/**
 * A run that the store does not offer. Immutable.
 *
 * @param scenario as in {@link Figures}
 * @param experiment as in {@link Figures}
 * @param mode as in {@link Figures}
 * @param label as in {@link Figures}
 * @param threads as in {@link Figures}
 * @param reason why it is not offered
 */
public record NotOffered(String scenario, String experiment, String mode, String label, int threads, String reason) {}
