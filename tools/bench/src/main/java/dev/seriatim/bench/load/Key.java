// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import dev.seriatim.cli.option.EngineSql;
import java.util.UUID;

/** The kinds of primary keys of a benchmark's table. */
public enum Key {
    /** Numbers that the benchmark inserts. */
    NUMBER {
        @Override
        String type(EngineSql engine) {
            return "BIGINT NOT NULL";
        }
    },

    /** Numbers that the engine generates on insert. */
    IDENTITY {
        @Override
        String type(EngineSql engine) {
            return engine.identity().orElseThrow();
        }
    },

    /** UUIDs that the benchmark inserts. */
    UUID {
        @Override
        String type(EngineSql engine) {
            return engine.uuids().orElseThrow().type() + " NOT NULL";
        }
    };

    /** Returns the column's type, without {@code PRIMARY KEY}. */
    abstract String type(EngineSql engine);

    /** Returns a hash of a UUID for the checks; two UUIDs collide with a probability of 2^-60. */
    public static long folded(UUID uuid) {
        return uuid.getMostSignificantBits() * 0x9E3779B97F4A7C15L ^ uuid.getLeastSignificantBits();
    }
}
