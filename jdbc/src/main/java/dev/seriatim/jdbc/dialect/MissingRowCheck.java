// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import dev.seriatim.SequenceException.Misconfigured;
import java.sql.Connection;
import java.sql.SQLException;

/** A dialect whose engine may not find a row that is there. */
public interface MissingRowCheck {

    /**
     * Looks why a row was not found.
     *
     * @throws Misconfigured when it may be there all the same
     */
    void checkNotOverlooked(Connection connection) throws SQLException;
}
