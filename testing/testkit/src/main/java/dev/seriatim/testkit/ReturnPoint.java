// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

/** A point to which a transaction can roll back, such as a savepoint. */
@FunctionalInterface
public interface ReturnPoint {

    /** Undoes what the transaction has done since this point. */
    void goBack() throws Exception;
}
