// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.site;

import dev.seriatim.jdbc.dialect.BenchmarkSql;
import java.util.UUID;

/** What the primary keys of a benchmark's table are. */
public enum Key {
    /** Numbers that are inserted. */
    NUMBER {
        @Override
        String type(BenchmarkSql engine) {
            return "BIGINT NOT NULL";
        }
    },

    /** Numbers that the engine makes when rows are inserted. */
    IDENTITY {
        @Override
        String type(BenchmarkSql engine) {
            return engine.identity().orElseThrow();
        }
    },

    /** UUIDs that are inserted. */
    UUID {
        @Override
        String type(BenchmarkSql engine) {
            return engine.uuids().orElseThrow().type() + " NOT NULL";
        }
    };

    /** The column's type and what it needs besides being the primary key. */
    abstract String type(BenchmarkSql engine);

    /** A UUID as a number that stands for it in checks: two differ in it, but for one chance in 2^60. */
    public static long folded(UUID uuid) {
        return uuid.getMostSignificantBits() * 0x9E3779B97F4A7C15L ^ uuid.getLeastSignificantBits();
    }
}
