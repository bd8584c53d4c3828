// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

/**
 * Wraps a caller's exception on its way through the client and our own retries, which would otherwise take the abort of
 * another transaction for an abort of this one.
 */
final class Shielded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final RuntimeException thrown;

    Shielded(RuntimeException thrown) {
        super(thrown.getMessage(), thrown, false, false);
        this.thrown = thrown;
    }

    /** Returns the exception as the caller threw it. */
    RuntimeException thrown() {
        return thrown;
    }
}
