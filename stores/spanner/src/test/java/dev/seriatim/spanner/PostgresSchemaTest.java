// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The suites of the client on a table in a named schema, in PostgreSQL's dialect. */
@Tag("long")
class PostgresSchemaTest {

    @Nested
    class Contract extends SpannerContractTest {
        @Override
        Place place() {
            return Place.POSTGRES_SCHEMA;
        }
    }

    @Nested
    class EveryMode extends EveryModeTest {
        @Override
        Place place() {
            return Place.POSTGRES_SCHEMA;
        }
    }

    @Nested
    class InTransaction extends InTransactionTest {
        @Override
        Place place() {
            return Place.POSTGRES_SCHEMA;
        }
    }

    @Nested
    class OneTransaction extends OneTransactionTest {
        @Override
        Place place() {
            return Place.POSTGRES_SCHEMA;
        }
    }

    @Nested
    class Aborts extends AbortsTest {
        @Override
        Place place() {
            return Place.POSTGRES_SCHEMA;
        }
    }

    @Nested
    class CommitAnswers extends CommitAnswersTest {
        @Override
        Place place() {
            return Place.POSTGRES_SCHEMA;
        }
    }

    @Nested
    class Misuse extends MisuseTest {
        @Override
        Place place() {
            return Place.POSTGRES_SCHEMA;
        }
    }

    @Nested
    class PublishedTable extends PublishedTableTest {
        @Override
        Place place() {
            return Place.POSTGRES_SCHEMA;
        }
    }

    @Nested
    class StoppedEmulator extends StoppedEmulatorTest {
        @Override
        Place place() {
            return Place.POSTGRES_SCHEMA;
        }
    }

    @Nested
    @ResourceLock(EmulatorDatabase.DRAWS)
    class NativeStore extends SpannerNativeStoreTest {
        @Override
        Place place() {
            return Place.POSTGRES_SCHEMA;
        }
    }

    @Nested
    @ResourceLock(EmulatorDatabase.DRAWS)
    class Command extends SpannerCommandTest {
        @Override
        Place place() {
            return Place.POSTGRES_SCHEMA;
        }
    }
}
