// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

/**
 * One thread of a worker, as its parent sees it.
 *
 * @param generator what draws there
 * @param ring what it reports
 */
public record Lane(String generator, DrawRing ring) {}
