// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The suites of the client on databases in PostgreSQL's dialect. */
class PostgresDialectTest {

    @Nested
    @Tag("long")
    class Contract extends SpannerContractTest {
        @Override
        Place place() {
            return Place.POSTGRES;
        }
    }

    @Nested
    @Tag("long")
    class EveryMode extends EveryModeTest {
        @Override
        Place place() {
            return Place.POSTGRES;
        }
    }

    @Nested
    class InTransaction extends InTransactionTest {
        @Override
        Place place() {
            return Place.POSTGRES;
        }
    }

    @Nested
    class OneTransaction extends OneTransactionTest {
        @Override
        Place place() {
            return Place.POSTGRES;
        }
    }

    @Nested
    @Tag("long")
    class Aborts extends AbortsTest {
        @Override
        Place place() {
            return Place.POSTGRES;
        }
    }

    @Nested
    @Tag("long")
    class CommitAnswers extends CommitAnswersTest {
        @Override
        Place place() {
            return Place.POSTGRES;
        }
    }

    @Nested
    @Tag("long")
    class Misuse extends MisuseTest {
        @Override
        Place place() {
            return Place.POSTGRES;
        }
    }

    @Nested
    class PublishedTable extends PublishedTableTest {
        @Override
        Place place() {
            return Place.POSTGRES;
        }
    }

    @Nested
    @Tag("long")
    class StoppedEmulator extends StoppedEmulatorTest {
        @Override
        Place place() {
            return Place.POSTGRES;
        }
    }

    @Nested
    @ResourceLock(EmulatorDatabase.DRAWS)
    class NativeStore extends SpannerNativeStoreTest {
        @Override
        Place place() {
            return Place.POSTGRES;
        }
    }

    @Nested
    @ResourceLock(EmulatorDatabase.DRAWS)
    class Command extends SpannerCommandTest {
        @Override
        Place place() {
            return Place.POSTGRES;
        }
    }
}
