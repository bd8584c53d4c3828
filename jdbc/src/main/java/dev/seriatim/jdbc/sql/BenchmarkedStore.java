// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.store.TransactionScope;
import java.sql.Connection;

/** A store in whose transactions the project's own tools can work with tables of theirs, on the same connections. */
public interface BenchmarkedStore extends TransactionScope<Connection> {

    /** Returns the engine's SQL for the project's own benchmark. */
    BenchmarkSql benchmarkSql();

    /** Returns the engine's SQL, for tables of the project's own tools. */
    Dialect dialect();
}
