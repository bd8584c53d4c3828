// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.natives;

import dev.seriatim.SequenceException.Misconfigured;
import java.sql.Connection;
import java.sql.SQLException;

/** A dialect whose engine has sequences of its own. */
public interface NativeSequenceSupport {

    /**
     * What it does with them.
     *
     * @throws Misconfigured when those of this server are not fit for use
     */
    NativeEngine nativeSequences(Connection connection) throws SQLException;
}
