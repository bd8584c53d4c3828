// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import dev.seriatim.SequenceException.Misconfigured;
import java.sql.Connection;
import java.sql.SQLException;

/** A dialect whose engine may fail to find an existing row. */
public interface MissingRowCheck {

    /**
     * Checks why a row was not found.
     *
     * @throws Misconfigured if the row may exist nevertheless
     */
    void checkNotOverlooked(Connection connection) throws SQLException;
}
