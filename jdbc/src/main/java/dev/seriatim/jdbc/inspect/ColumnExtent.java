// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.inspect;

import java.math.BigInteger;
import java.util.Optional;

/**
 * A column that was asked for by its name, and is there.
 *
 * @param asked the name that was asked for, perhaps without a schema
 * @param column its name in the database
 * @param lowest the lowest number in it; empty if there is none, or it was not read
 * @param highest the highest number in it; the same
 */
public record ColumnExtent(
        ColumnPath asked, ColumnPath column, Optional<BigInteger> lowest, Optional<BigInteger> highest) {}
