// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.time.Duration;

/**
 * The limits on what an examination costs the database.
 *
 * @param statement how long a statement may run, and wait for a lock
 * @param total how long all of it may take; what is left out is reported as skipped
 * @param scans whether columns without an index may be read in full
 */
public record InspectionLimits(Duration statement, Duration total, boolean scans) {}
