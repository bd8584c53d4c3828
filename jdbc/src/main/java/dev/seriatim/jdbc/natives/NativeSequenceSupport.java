// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.natives;

import dev.seriatim.SequenceException.Misconfigured;
import java.sql.Connection;
import java.sql.SQLException;

public interface NativeSequenceSupport {

    /**
     * Returns the implementation for this server.
     *
     * @throws Misconfigured if the server's native sequences are unsuitable
     */
    NativeEngine nativeSequences(Connection connection) throws SQLException;
}
