// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import dev.seriatim.store.TransactionScope;
import java.sql.Connection;

/** A store that the benchmark can compare with other ways to generate keys, in transactions on the same connections. */
public interface BenchmarkedStore extends TransactionScope<Connection> {

    /** Returns the engine's SQL for the project's own benchmark. */
    BenchmarkSql benchmarkSql();
}
