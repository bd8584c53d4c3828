// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;

/** A dialect that seals transactions in another way than by a savepoint. */
public interface SealSupport {

    /** Seals a transaction that callers share. */
    Seal seal(Connection transaction) throws SQLException;

    /** The same, by a savepoint where the dialect has nothing else. */
    static Seal of(Dialect dialect, Connection transaction) throws SQLException {
        return dialect instanceof SealSupport own ? own.seal(transaction) : Seal.savepoint(transaction);
    }
}
