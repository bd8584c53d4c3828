// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

/** A run that the store does not offer, as in {@link Figures}, and the reason. Immutable. */
public record NotOffered(String scenario, String experiment, String mode, String label, int threads, String reason) {}
