// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import org.junit.jupiter.api.Tag;

/** The same in a named schema. */
@Tag("long")
class JdbcSchemaContractTest extends SpannerJdbcContractTest {

    @Override
    JdbcEmulator.Form form() {
        return JdbcEmulator.Form.GOOGLE_SQL_IN_SCHEMA;
    }
}
