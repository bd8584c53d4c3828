// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.seriatim.Allocation;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.bench.load.Iteration;
import dev.seriatim.bench.load.Key;
import dev.seriatim.bench.load.ScratchSequence;
import dev.seriatim.bench.load.Site;
import dev.seriatim.bench.simulation.ModeProfile;
import dev.seriatim.bench.simulation.StoreTimes;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.option.EngineSql;
import dev.seriatim.cli.option.EngineSql.UuidSql;
import dev.seriatim.store.OpenStore;
import dev.seriatim.striped.Striping;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Other ways to generate numbers, with which the modes are compared. Immutable. */
public enum Baseline implements Contender {
    /** A counter in this process, without a store: the upper bound for all others. */
    ATOMIC_LONG {
        @Override
        public Iteration iteration(Stage stage) {
            return stage.drawing(new AtomicLong(1)::getAndIncrement);
        }

        @Override
        public boolean dealsFromMemory() {
            return true;
        }
    },

    /** A row that the transaction increments in plain SQL, as published. */
    EMULATED {
        @Override
        public Iteration iteration(Stage stage) {
            EmulatedSequence emulated = EmulatedSequence.in(stage);
            return new DrawInTransaction<>(
                    stage.site().tables(),
                    emulated::next,
                    stage.application(),
                    stage.plan().numbersPerIteration());
        }

        @Override
        public Optional<String> missingFrom(Site site, RunPlan plan) {
            return unless(
                    site.engine().emulated().isPresent(), "the benchmark has no SQL that emulates a sequence on it");
        }

        @Override
        public boolean ordered() {
            return true;
        }

        @Override
        public boolean gapless() {
            return true;
        }

        @Override
        public double limitPerSecond(int threads, StoreTimes store, double application) {
            return ModeProfile.of(DrawMode.SYNC).limit().perSecond(threads, store, application);
        }
    },

    /** An AUTO_INCREMENT or IDENTITY column. */
    AUTO_INCREMENT {
        @Override
        public Iteration iteration(Stage stage) {
            return new IdentityRows(
                    stage.site().tables(), stage.table(), stage.plan().setting().use());
        }

        @Override
        public Optional<String> missingFrom(Site site, RunPlan plan) {
            return unless(
                    plan.setting().use().insertsRows()
                            && site.engine().identity().isPresent(),
                    "it numbers inserted rows; add --insert-rows, on a database with such columns");
        }

        @Override
        public Key key() {
            return Key.IDENTITY;
        }
    },

    /** A sequence of the database itself. */
    NATIVE {
        @Override
        public Iteration iteration(Stage stage) {
            return NativeDraws.in(stage);
        }

        @Override
        public Optional<String> missingFrom(Site site, RunPlan plan) {
            return unless(
                    site.hasConnections() && site.engine().sequence().isPresent(),
                    "the benchmark knows no native sequences of it");
        }

        @Override
        public String label(RunPlan plan) {
            return name() + ", cache " + plan.batchSize();
        }

        @Override
        public boolean hasBatchSize() {
            return true;
        }
    },

    /** A UUID made by the server. */
    UUID {
        @Override
        public Iteration iteration(Stage stage) {
            return ServerUuids.in(stage);
        }

        @Override
        public Optional<String> missingFrom(Site site, RunPlan plan) {
            boolean made =
                    site.engine().uuids().filter(EngineSql.UuidSql::generated).isPresent();
            return unless(site.hasConnections() && made, "the benchmark knows no UUID function of it");
        }

        @Override
        public Key key() {
            return Key.UUID;
        }
    },

    /** A random UUID, made in this process. */
    UUID_V4 {
        @Override
        public Iteration iteration(Stage stage) {
            return made(stage, java.util.UUID::randomUUID);
        }

        @Override
        public Optional<String> missingFrom(Site site, RunPlan plan) {
            return missingUuids(site, plan);
        }

        @Override
        public Key key() {
            return Key.UUID;
        }
    },

    /** A time-ordered UUID, made in this process. */
    UUID_V7 {
        @Override
        public Iteration iteration(Stage stage) {
            return made(stage, UuidCreator::getTimeOrderedEpoch);
        }

        @Override
        public Optional<String> missingFrom(Site site, RunPlan plan) {
            return missingUuids(site, plan);
        }

        @Override
        public Key key() {
            return Key.UUID;
        }
    },

    /** ASYNC over several counters: the library's own, but no mode. */
    STRIPED {
        @Override
        public Iteration iteration(Stage stage) {
            Striping striping = new Striping(stage.sequence(), STRIPES);
            if (!stage.isGuest()) {
                OpenStore store = stage.store();
                striping.create(store, store.newDefinition(stage.sequence()).build());
                stage.onClose(() -> striping.drop(store));
            }
            return stage.drawing(stage.newInstance().striped(striping, Allocation.async()));
        }

        @Override
        public String label(RunPlan plan) {
            return name() + ", " + STRIPES + " counters";
        }
    };

    /** Number of counters of {@link #STRIPED}. */
    static final int STRIPES = 4;

    /** Returns false: a baseline makes its own numbers. */
    @Override
    public boolean drawsFromTheSequence() {
        return false;
    }

    private static Iteration made(Stage stage, Supplier<UUID> making) {
        if (stage.plan().setting().use().insertsRows()) {
            return new UuidRows(stage, making);
        }
        return stage.drawing(() -> Key.folded(making.get()));
    }

    private static Optional<String> missingUuids(Site site, RunPlan plan) {
        return unless(
                !plan.setting().use().insertsRows() || site.engine().uuids().isPresent(),
                "the benchmark knows no column type for UUIDs on it");
    }

    private static Optional<String> unless(boolean there, String reason) {
        return there ? Optional.empty() : Optional.of(reason);
    }

    /** Draws from a temporary native sequence of the database. */
    private static final class NativeDraws {

        private NativeDraws() {}

        /** Creates the sequence, with the batch size as its cache; closing the stage drops it. */
        static Iteration in(Stage stage) {
            String name = ScratchSequence.freshName();
            String next = stage.site().engine().sequence().orElseThrow().formatted(name);
            stage.site()
                    .execute(
                            "CREATE SEQUENCE " + name + " CACHE " + stage.plan().batchSize());
            stage.onClose(() -> stage.site().execute("DROP SEQUENCE " + name));
            Setting.Use use = stage.plan().setting().use();
            if (use.inOneStatement()) {
                return ServerBulkInsert.with(next, stage);
            }
            String query = "SELECT " + next;
            return use.insertsRows()
                    ? new DrawInTransaction<>(
                            stage.site().tables(),
                            transaction -> ask(transaction, query),
                            stage.application(),
                            stage.plan().numbersPerIteration())
                    : new ServerQuery(stage, query, row -> row.getLong(1));
        }

        private static long ask(Connection transaction, String query) {
            try {
                return EmulatedSequence.number(transaction, query);
            } catch (SQLException e) {
                throw new Unavailable("'" + query + "' failed (" + e.getMessage() + ")", e);
            }
        }
    }

    /** Draws UUIDs from the server. */
    private static final class ServerUuids {

        private ServerUuids() {}

        static Iteration in(Stage stage) {
            UuidSql sql = stage.site().engine().uuids().orElseThrow();
            Setting.Use use = stage.plan().setting().use();
            if (use.insertsRows()) {
                // The server generates the key in the statement that inserts the row.
                return ServerBulkInsert.with(sql.asKey(), stage);
            }
            return new ServerQuery(
                    stage, "SELECT " + sql.asText(), row -> Key.folded(java.util.UUID.fromString(row.getString(1))));
        }
    }
}
