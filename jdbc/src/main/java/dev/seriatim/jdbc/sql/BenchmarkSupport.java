// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

/** A dialect whose engine the benchmark can compare with other ways to generate keys. */
public interface BenchmarkSupport {

    /** Returns the engine's SQL for benchmarks. */
    BenchmarkSql benchmarkSql();

    /** Returns the dialect's SQL for benchmarks, or {@link BenchmarkSql#NONE}. */
    static BenchmarkSql of(Dialect dialect) {
        return dialect instanceof BenchmarkSupport own ? own.benchmarkSql() : BenchmarkSql.NONE;
    }
}
