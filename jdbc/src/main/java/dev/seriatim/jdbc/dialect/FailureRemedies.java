// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.SQLException;
import java.util.Optional;

/** A dialect whose engine tells more of some failures than their {@link Fault}. */
public interface FailureRemedies {

    /**
     * What failed, and what to do, in one line; empty where the fault says it all.
     *
     * @param database which one, for people
     * @param why what the driver says, on one line
     */
    Optional<String> remedy(String database, String why, SQLException e);

    /** The same; empty where the dialect has none. */
    static Optional<String> of(Dialect dialect, String database, String why, SQLException e) {
        return dialect instanceof FailureRemedies own ? own.remedy(database, why, e) : Optional.empty();
    }
}
