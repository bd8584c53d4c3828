// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

/** Thrown out of a transaction or a unit of work so that it is rolled back. */
public final class RolledBackOnPurpose extends Exception {

    private static final long serialVersionUID = 1L;

    /** Creates one without a stack trace. */
    public RolledBackOnPurpose() {
        super("rolled back on purpose", null, false, false);
    }
}
