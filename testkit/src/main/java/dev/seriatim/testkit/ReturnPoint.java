// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

/** A point in a transaction that it can go back to, such as a savepoint. */
@FunctionalInterface
public interface ReturnPoint {

    /** Undoes what the transaction has done since. */
    void goBack() throws Exception;
}
