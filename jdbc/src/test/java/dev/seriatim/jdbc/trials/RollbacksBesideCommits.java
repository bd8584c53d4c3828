// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import dev.seriatim.Allocation;
import dev.seriatim.GroupedSequence;
import dev.seriatim.PooledSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Database;
import dev.seriatim.store.TransactionScope;
import dev.seriatim.store.TransactionalSequence;
import dev.seriatim.testkit.Crowd;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Rounds of short transactions on several threads; a fifth of them are rolled back. After each round, the
 * acknowledged numbers must equal the stored ones: a rollback undoes its own transaction and nothing else. After all
 * rounds, what rollbacks have returned must be dealt again.
 */
final class RollbacksBesideCommits implements AutoCloseable {

    static final int THREADS = 4;
    static final int TURNS = 20;
    private static final int ATTEMPTS = 200;

    /** Enough draws for concurrent claims, which may pass over returned numbers for a while, to come to them. */
    private static final int ROUNDS_TO_DEAL = 100;

    private static final String NAME = "s";

    /** How each number is drawn, and in which transaction it is stored. */
    enum Way {
        /** In the transaction that stores it. */
        SYNC {
            @Override
            Step open(RollbacksBesideCommits trial) {
                TransactionalSequence<Connection> sequence = TransactionalSequence.of(trial.application.store(), NAME);
                return refuse -> trial.inTransaction(
                        transaction -> trial.store(transaction, trial.drawn(sequence.next(transaction)), refuse));
            }
        },
        /** In a unit of work. */
        GROUPED {
            @Override
            Step open(RollbacksBesideCommits trial) {
                GroupedSequence<Connection> sequence =
                        trial.application.sequences().grouped(NAME, trial.application.store());
                return refuse ->
                        sequence.commit(turn -> trial.store(turn.transaction(), trial.drawn(turn.next()), refuse));
            }
        },
        /** In the transaction that stores it, from numbers laid out ahead, to which a rollback returns it. */
        POOLED {
            @Override
            Step open(RollbacksBesideCommits trial) {
                PooledSequence<Connection> sequence =
                        trial.application.sequences().pooled(NAME, trial.application.store());
                return refuse -> trial.inTransaction(
                        transaction -> trial.store(transaction, trial.drawn(sequence.next(transaction)), refuse));
            }

            @Override
            boolean offeredBy(JdbcStore store) {
                try (StoreSequences sequences = StoreSequences.of(store)) {
                    sequences.pooled(NAME, store).close();
                    return true;
                } catch (SequenceException.Misconfigured e) {
                    return false;
                }
            }

            @Override
            Undealt undealt(RollbacksBesideCommits trial) throws SQLException {
                return trial.undealtWithPool();
            }
        },
        /**
         * In a transaction of its own, before the one that stores it; alongside changes of the sequence that are
         * refused.
         */
        ASYNC {
            @Override
            Step open(RollbacksBesideCommits trial) {
                Sequence sequence = trial.application.sequences().open(NAME, Allocation.async());
                return refuse -> {
                    Drawn number = trial.drawn(sequence.next());
                    trial.acknowledged.add(number.value());
                    if (refuse) {
                        trial.createAgain();
                    }
                    return trial.inTransaction(transaction -> trial.store(transaction, number, refuse));
                };
            }

            @Override
            boolean rollbackTakesNumberBack() {
                return false;
            }
        };

        abstract Step open(RollbacksBesideCommits trial);

        boolean offeredBy(JdbcStore store) {
            return true;
        }

        Undealt undealt(RollbacksBesideCommits trial) throws SQLException {
            return new Undealt(trial.application.store().describe(NAME).nextValue(), List.of());
        }

        boolean rollbackTakesNumberBack() {
            return true;
        }
    }

    /** A transaction that may be refused at its end. */
    @FunctionalInterface
    private interface Step {
        Drawn take(boolean refuse) throws Exception;
    }

    /** The numbers to come: those in the pool, also twice if they are there twice, and those from the counter on. */
    private record Undealt(long next, List<Long> laidOut) {}

    /** A number and the key of its row. */
    private record Drawn(long row, long value) {}

    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private final Database database;
    private final Way way;
    private final ApplicationResources application;
    private final Predicate<SQLException> excused;
    private final Step step;
    private final AtomicLong rows = new AtomicLong();
    private final Queue<Long> acknowledged = new ConcurrentLinkedQueue<>();
    private final Queue<Long> committed = new ConcurrentLinkedQueue<>();
    private final Set<String> failures = ConcurrentHashMap.newKeySet();
    private Undealt undealt = new Undealt(1, List.of());

    private RollbacksBesideCommits(
            Database database, Way way, ApplicationResources application, Predicate<SQLException> excused) {
        this.database = database;
        this.way = way;
        this.application = application;
        this.excused = excused;
        step = way.open(this);
    }

    /** Skips the test where the database does not offer that way. */
    static RollbacksBesideCommits on(Database database, Way way) throws SQLException {
        ApplicationResources application = prepared(database, database);
        if (!way.offeredBy(application.store())) {
            application.close();
            Assumptions.abort(way + " is not offered on " + database);
        }
        return new RollbacksBesideCommits(database, way, application, failure -> false);
    }

    static RollbacksBesideCommits onFile(Database database, Way way) throws SQLException {
        return new RollbacksBesideCommits(
                database, way, prepared(database, database), RollbacksBesideCommits::putBackMeanwhile);
    }

    /** Runs on a file on which a mode repeats numbers: the store only warns of that. */
    static RollbacksBesideCommits onWeakFile(Database database, Way way) throws SQLException {
        return new RollbacksBesideCommits(
                database,
                way,
                prepared(database, database.option("seriatim.durability", "warn")),
                RollbacksBesideCommits::putBackMeanwhile);
    }

    /**
     * In an H2 file, the rollback of an application's transaction can restore its account row while another
     * transaction changes it, whose statement then finds a row where it has just removed one. That also happens
     * without the library; that transaction is rolled back like those that are refused.
     */
    private static boolean putBackMeanwhile(SQLException failure) {
        return "23505".equals(failure.getSQLState())
                && String.valueOf(failure.getMessage()).contains("ACCOUNT");
    }

    private static ApplicationResources prepared(Database database, Database seenByStore) throws SQLException {
        ApplicationResources application = ApplicationResources.open(seenByStore);
        application.store().create(SequenceDefinition.of(NAME));
        // Not a unique number: the check must find repeated ones. The single account makes transactions wait for each
        // other even where they do not draw.
        database.execute(
                "CREATE TABLE kept (id BIGINT PRIMARY KEY, n BIGINT NOT NULL)",
                "CREATE TABLE account (id BIGINT PRIMARY KEY, n BIGINT NOT NULL)",
                "INSERT INTO account VALUES (1, 0)");
        return application;
    }

    /** Runs up to {@code rounds} rounds, and returns what was found; stops at the first finding. */
    List<String> findings(int rounds) throws SQLException {
        List<String> findings = List.of();
        for (int round = 0; round < rounds && findings.isEmpty(); round++) {
            findings = round(true);
        }
        return findings.isEmpty() ? findingsWhileReturnedNumbersAreDealt() : findings;
    }

    private List<String> findingsWhileReturnedNumbersAreDealt() throws SQLException {
        long highest = Collections.max(acknowledged);
        List<String> findings = List.of();
        for (int round = 0; round < ROUNDS_TO_DEAL && findings.isEmpty() && hasReturned(highest); round++) {
            findings = round(false);
        }
        return findings.isEmpty() && hasReturned(highest)
                ? List.of("%s: numbers below %d were returned and not dealt again in %d draws"
                        .formatted(way, highest, ROUNDS_TO_DEAL * THREADS * TURNS))
                : findings;
    }

    private boolean hasReturned(long highest) {
        return undealt.laidOut().stream().anyMatch(number -> number < highest);
    }

    private List<String> round(boolean refusing) throws SQLException {
        acknowledged.clear();
        committed.clear();
        failures.clear();
        long firstRow = rows.get();
        Undealt before = undealt;
        new Crowd(THREADS, TURNS).each((thread, turn) -> {
            try {
                Drawn number = step.take(refusing && turn % 5 == 4);
                committed.add(number.value());
            } catch (Refused expected) {
                // rolled back
            } catch (SequenceException e) {
                failures.add(way + ": " + e);
            } catch (SQLException e) {
                if (!excused.test(e)) {
                    failures.add(way + ": " + e);
                }
            }
        });
        if (way.rollbackTakesNumberBack()) {
            acknowledged.addAll(committed);
        }
        undealt = way.undealt(this);
        return findings(before, undealt, stored(firstRow));
    }

    private List<String> findings(Undealt before, Undealt after, List<Long> stored) {
        List<String> findings = new ArrayList<>(failures);
        List<Long> numbers = Stream.concat(acknowledged.stream(), after.laidOut().stream())
                .sorted()
                .toList();
        List<Long> expected = Stream.concat(
                        before.laidOut().stream(),
                        LongStream.range(before.next(), after.next()).boxed())
                .sorted()
                .toList();
        if (!numbers.equals(expected)) {
            findings.add(("%s: %d numbers acknowledged or laid out, %d different, while the counter went from %d to %d,"
                            + " with %d laid out before")
                    .formatted(
                            way,
                            numbers.size(),
                            new HashSet<>(numbers).size(),
                            before.next(),
                            after.next(),
                            before.laidOut().size()));
        }
        if (!stored.equals(committed.stream().sorted().toList())) {
            findings.add("%s: %d commits acknowledged, %d rows stored".formatted(way, committed.size(), stored.size()));
        }
        return findings;
    }

    private Drawn drawn(long value) {
        return new Drawn(rows.getAndIncrement(), value);
    }

    private Drawn store(Connection transaction, Drawn number, boolean refuse) throws SQLException, Refused {
        try (PreparedStatement insert = transaction.prepareStatement("INSERT INTO kept VALUES (?, ?)");
                Statement update = transaction.createStatement()) {
            insert.setLong(1, number.row());
            insert.setLong(2, number.value());
            insert.executeUpdate();
            update.executeUpdate("UPDATE account SET n = n + 1 WHERE id = 1");
        }
        if (refuse) {
            throw new Refused();
        }
        return number;
    }

    /** Retries the work after a conflict, as every caller must. */
    private <R> R inTransaction(TransactionScope.Work<Connection, R, Exception> work) throws Exception {
        for (int attempt = 1; ; attempt++) {
            try {
                return application.store().inTransaction(work);
            } catch (SequenceException.Overloaded e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            } catch (SQLException e) {
                if (attempt == ATTEMPTS || !"40001".equals(e.getSQLState())) {
                    throw e;
                }
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(20));
        }
    }

    /** Creates the sequence again, as every application does at startup. */
    private void createAgain() {
        try {
            application.store().create(SequenceDefinition.of(NAME));
        } catch (SequenceException.AlreadyExists expected) {
            return;
        }
        failures.add(way + ": '" + NAME + "' was created twice");
    }

    /** Reads both in one snapshot, since a refill may be under way. */
    private Undealt undealtWithPool() throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            String of = " WHERE name = '" + NAME + "' AND ";
            List<Long> next =
                    numbers(connection, "SELECT next_value FROM seriatim_sequence" + of + "next_value >= ?", 1);
            List<Long> laidOut = numbers(
                    connection, "SELECT value FROM seriatim_sequence_pool" + of + "place >= ? ORDER BY value", 1);
            return new Undealt(next.get(0), laidOut);
        }
    }

    private List<Long> stored(long firstRow) throws SQLException {
        try (Connection connection = database.connect()) {
            return numbers(connection, "SELECT n FROM kept WHERE id >= ? ORDER BY n", firstRow);
        }
    }

    private static List<Long> numbers(Connection connection, String sql, long from) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setLong(1, from);
            try (ResultSet row = query.executeQuery()) {
                List<Long> numbers = new ArrayList<>();
                while (row.next()) {
                    numbers.add(row.getLong(1));
                }
                return numbers;
            }
        }
    }

    @Override
    public void close() {
        application.close();
    }
}
