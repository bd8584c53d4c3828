// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

/** The same in PostgreSQL's dialect. */
class JdbcPostgresCommandTest extends JdbcCommandTest {

    @Override
    JdbcEmulator.Form form() {
        return JdbcEmulator.Form.POSTGRESQL;
    }
}
