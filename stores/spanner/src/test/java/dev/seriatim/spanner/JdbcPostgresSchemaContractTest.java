// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import org.junit.jupiter.api.Tag;

/** The same in a named schema in PostgreSQL's dialect. */
@Tag("long")
class JdbcPostgresSchemaContractTest extends SpannerJdbcContractTest {

    @Override
    JdbcEmulator.Form form() {
        return JdbcEmulator.Form.POSTGRESQL_IN_SCHEMA;
    }
}
