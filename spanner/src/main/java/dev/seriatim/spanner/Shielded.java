// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

/**
 * An exception of the caller's on its way through the client and our own retries, which would take an abort that the caller
 * has met elsewhere for one of the transaction that it runs in.
 */
final class Shielded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final RuntimeException thrown;

    Shielded(RuntimeException thrown) {
        super(thrown.getMessage(), thrown, false, false);
        this.thrown = thrown;
    }

    /** As the caller threw it. */
    RuntimeException thrown() {
        return thrown;
    }
}
