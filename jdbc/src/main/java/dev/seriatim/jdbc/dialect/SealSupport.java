// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;

/** A dialect that marks transactions with something other than a savepoint. */
public interface SealSupport {

    /** Marks a transaction that callers share. */
    Seal seal(Connection transaction) throws SQLException;

    /** Marks a transaction, with a savepoint if the dialect has no other way. */
    static Seal of(Dialect dialect, Connection transaction) throws SQLException {
        return dialect instanceof SealSupport own ? own.seal(transaction) : Seal.savepoint(transaction);
    }
}
