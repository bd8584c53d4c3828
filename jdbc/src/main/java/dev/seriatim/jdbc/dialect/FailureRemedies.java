// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.SQLException;
import java.util.Optional;

/** A dialect whose engine gives more detail about some failures than their {@link Fault}. */
public interface FailureRemedies {

    /**
     * Returns what failed and what to do, in one line; empty if the fault is enough.
     *
     * @param database the database, for display
     * @param why the driver's message, on one line
     */
    Optional<String> remedy(String database, String why, SQLException e);

    /** Returns the dialect's remedy; empty if it has none. */
    static Optional<String> of(Dialect dialect, String database, String why, SQLException e) {
        return dialect instanceof FailureRemedies own ? own.remedy(database, why, e) : Optional.empty();
    }
}
