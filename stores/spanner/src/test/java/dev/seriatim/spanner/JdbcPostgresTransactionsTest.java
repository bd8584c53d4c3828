// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

/** The same in a named schema in PostgreSQL's dialect. */
class JdbcPostgresTransactionsTest extends JdbcTransactionsTest {

    @Override
    JdbcEmulator.Form form() {
        return JdbcEmulator.Form.POSTGRESQL_IN_SCHEMA;
    }
}
