// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.servers.Engine;
import org.junit.jupiter.api.Nested;

/** Every contract, on an engine that supports savepoints and isolation levels. */
abstract class SavepointEngineContract extends EngineContract {

    /** Returns the engine. */
    abstract Engine engine();

    private TestedEngine tested() {
        return new TestedEngine(engine(), nodes().get(0), table, pools());
    }

    @Nested
    class Savepoints extends SavepointsContract {
        @Override
        TestedEngine tested() {
            return SavepointEngineContract.this.tested();
        }
    }

    @Nested
    class Endings extends EndingsContract {
        @Override
        TestedEngine tested() {
            return SavepointEngineContract.this.tested();
        }
    }

    @Nested
    class Isolation extends IsolationContract {
        @Override
        TestedEngine tested() {
            return SavepointEngineContract.this.tested();
        }
    }

    @Nested
    class Sources extends SourcesContract {
        @Override
        TestedEngine tested() {
            return SavepointEngineContract.this.tested();
        }
    }
}
