// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

/** The same in a named schema. */
class JdbcSchemaContractTest extends SpannerJdbcContractTest {

    @Override
    JdbcEmulator.Form form() {
        return JdbcEmulator.Form.GOOGLE_SQL_IN_SCHEMA;
    }
}
