// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.GroupedSequence;
import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.conservation.TestProperties;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.FaultyCalls.Kind;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.KeptConnections;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.TransactionalSequence;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every single call to the driver fails once, before or after it has taken effect: the caller receives the true
 * outcome, no connection leaks, no number is lost or dealt twice, and the next call succeeds. Each call to a
 * connection fails in one of the ways in turn; in a soak ({@code -Dseriatim.trials=soak}), each call to the connection's
 * objects too, and in every way.
 */
@Timeout(300)
abstract class FaultyCallsContract {

    /** Longer than any call here takes, and far shorter than any patience or lock timeout. */
    private static final Duration AT_ONCE = Duration.ofSeconds(5);

    private static final long NONE = 0;

    private final List<StoreSequences> opened = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private KeptNumbers kept = new KeptNumbers("");
    private FaultyCalls faulty;
    private HikariDataSource audits;
    private JdbcStore store;
    private JdbcStore clean;
    private long last;
    private int stored;
    private int lost;

    /** Returns a data source for the database to test. */
    abstract DataSource source();

    /** Returns a table name that no other test uses. */
    abstract String table();

    /** Returns whether the database supports pools. */
    boolean pools() {
        return false;
    }

    private interface Draw {
        /** Draws and stores a number, and returns it after the commit. */
        long one() throws Exception;
    }

    private interface Audit {
        /** Checks that the database matches the reported outcome; {@code failure} is null if the call succeeded. */
        void look(long number, @Nullable Throwable failure) throws Exception;
    }

    @BeforeEach
    void open() throws SQLException {
        kept = new KeptNumbers(table() + "_kept");
        audits = TestedEngine.pool(source(), 3); // not a login for each query
        try (Connection connection = audits.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(kept.create());
        }
        faulty = new FaultyCalls(source());
        clean = open(audits);
        clean.create(SequenceDefinition.of("s"));
        store = open(faulty.source());
    }

    private JdbcStore open(DataSource through) {
        return JdbcStore.open(through, SequenceTable.own(table()));
    }

    @AfterEach
    void close() {
        opened.forEach(StoreSequences::close);
        audits.close();
    }

    @Test
    void a_number_of_its_own_transaction_is_never_dealt_twice() throws Exception {
        everyCall(false, this::reserved, (number, failure) -> {});
    }

    @Test
    void numbers_of_transactions_that_the_store_opens_stay_gapless() throws Exception {
        everyCall(false, inTransactions(TransactionalSequence.of(store, "s")), this::lookForGaps);
    }

    @Test
    void numbers_of_callers_transactions_stay_gapless() throws Exception {
        everyCall(false, inCallers(TransactionalSequence.of(store, "s")), this::lookForGaps);
    }

    @Test
    void numbers_of_groups_stay_gapless() throws Exception {
        everyCall(false, inGroups(sequences().grouped("s", store)), this::lookForGaps);
    }

    @Test
    void numbers_of_units_that_throw_go_back() throws Exception {
        everyCall(false, inThrowing(sequences().grouped("s", store)), this::lookForGaps);
    }

    /** Over connections that the store keeps, a lone unit begins and commits on its caller's thread. */
    @Test
    void numbers_of_units_over_kept_connections_stay_gapless() throws Exception {
        try (JdbcStore kept = overKeptConnections()) {
            store = kept;
            lost = 1; // which it keeps
            GroupedSequence<Connection> sequence = sequences().grouped("s", kept);
            everyCall(false, inGroups(sequence), this::lookForGaps);
            everyCall(false, inThrowing(sequence), this::lookForGaps);
        }
    }

    private JdbcStore overKeptConnections() throws SQLException {
        Dialect dialect;
        try (Connection connection = source().getConnection()) {
            dialect = Dialects.of(connection);
        }
        KeptConnections connections =
                new KeptConnections(() -> faulty.source().getConnection(), dialect, "kept", 1, AT_ONCE, AT_ONCE);
        return UncheckedStores.over(connections, dialect, SequenceTable.own(table()), "kept", AT_ONCE);
    }

    @Test
    void numbers_of_pools_stay_gapless() throws Exception {
        assumeTrue(pools(), "numbers cannot be laid out on this engine");
        everyCall(false, fromPools(sequences().pooled("s", store)), this::lookForGaps);
    }

    @Test
    void changes_of_a_sequence_happen_or_not() throws Exception {
        everyCall(false, this::changed, (number, failure) -> {});
    }

    @Test
    @Timeout(1800)
    void every_call_of_each_fails_in_every_way() throws Exception {
        assumeTrue(TestProperties.ofThisJvm().isSoak(), "it takes minutes on a server");
        everyCall(true, inTransactions(TransactionalSequence.of(store, "s")), this::lookForGaps);
        everyCall(true, inCallers(TransactionalSequence.of(store, "s")), this::lookForGaps);
        everyCall(true, inGroups(sequences().grouped("s", store)), this::lookForGaps);
        everyCall(true, inThrowing(sequences().grouped("s", store)), this::lookForGaps);
        if (pools()) {
            everyCall(true, fromPools(sequences().pooled("s", store)), this::lookForGaps);
        }
        // From here on, the numbers drawn are not stored.
        everyCall(true, this::reserved, (number, failure) -> {});
        everyCall(true, this::changed, (number, failure) -> {});
    }

    private StoreSequences sequences() {
        StoreSequences sequences =
                StoreSequences.builder(store).patience(AT_ONCE.multipliedBy(2)).build();
        opened.add(sequences);
        return sequences;
    }

    private long reserved() {
        long number = store.reserve("s", 1).block().first();
        if (number <= last) {
            wrong.add("dealt " + number + " after " + last);
        }
        last = number;
        return number;
    }

    private Draw inTransactions(TransactionalSequence<Connection> sequence) {
        return () -> store.inTransaction(transaction -> {
            long number = sequence.next(transaction);
            kept.keep(transaction, number);
            return number;
        });
    }

    private Draw inCallers(TransactionalSequence<Connection> sequence) {
        return () -> {
            try (Connection transaction = faulty.source().getConnection()) {
                transaction.setAutoCommit(false);
                boolean done = false;
                try {
                    long number = sequence.next(transaction);
                    kept.keep(transaction, number);
                    transaction.commit();
                    done = true;
                    return number;
                } finally {
                    if (!done) {
                        transaction.rollback();
                    }
                }
            }
        };
    }

    private Draw inGroups(GroupedSequence<Connection> sequence) {
        return () -> sequence.commit(turn -> {
            long number = turn.next();
            kept.keep(turn.transaction(), number);
            return number;
        });
    }

    private Draw inThrowing(GroupedSequence<Connection> sequence) {
        return () -> {
            assertThatThrownBy(() -> sequence.commit(turn -> {
                        kept.keep(turn.transaction(), turn.next());
                        throw new IllegalArgumentException("refused");
                    }))
                    .isNotNull();
            return NONE;
        };
    }

    private Draw fromPools(PooledSequence<Connection> sequence) {
        return () -> store.inTransaction(transaction -> {
            long number = NONE;
            for (long each : sequence.next(transaction, 3)) {
                kept.keep(transaction, each);
                number = each;
            }
            return number;
        });
    }

    private long changed() {
        store.raise("s", store.describe("s").nextValue() + 10);
        store.alter(
                "s",
                definition ->
                        definition.toBuilder().cache(definition.cache() + 1).build());
        store.list();
        return NONE;
    }

    /** Checks that every number counted is stored or laid out, and that the reported outcome is true. */
    private void lookForGaps(long number, @Nullable Throwable failure) throws Exception {
        Set<Long> now;
        try (Connection connection = audits.getConnection()) {
            now = new TreeSet<>(kept.all(connection));
        }
        if (failure == null && number != NONE && !now.contains(number)) {
            wrong.add("was told that " + number + " is committed, and it is not");
        }
        boolean certain = failure instanceof SequenceException && !(failure instanceof CommitOutcomeUnknown);
        if (certain && now.size() != stored) {
            wrong.add("was told that nothing is committed, and it is: " + failure);
        }
        stored = now.size();
        Set<Long> all = new TreeSet<>(now);
        long next;
        do { // a background refill may still arrive between the two readings
            next = clean.describe("s").nextValue();
            clean.poolState("s").ifPresent(pool -> pool.laidOut().forEach(run -> run.forEach(all::add)));
        } while (clean.describe("s").nextValue() != next);
        if (!all.equals(LongStream.range(1, next).boxed().collect(Collectors.toSet()))) {
            wrong.add("kept " + all + " of those below " + next);
        }
    }

    private void everyCall(boolean inEveryWay, Draw draw, Audit audit) throws Exception {
        faulty.count(inEveryWay);
        draw.one(); // so that one-time setup is complete
        faulty.failAt(0, Kind.SQL_BEFORE);
        audit.look(draw.one(), null);
        int calls = faulty.calls();
        assertThat(calls).isPositive();
        Kind[] kinds = Kind.values();
        for (int call = 1; call <= calls + 1; call++) {
            for (int k = 0; k < (inEveryWay ? kinds.length : 1); k++) {
                failAt(call, kinds[(call * 3 + k) % kinds.length], draw, audit);
            }
        }
        assertThat(wrong).isEmpty();
    }

    private void failAt(int call, Kind kind, Draw draw, Audit audit) throws Exception {
        faulty.failAt(call, kind);
        long number = NONE;
        Throwable failure = null;
        long began = System.nanoTime();
        try {
            number = draw.one();
        } catch (Exception | Error e) {
            failure = e;
        }
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        String failed = faulty.failed();
        int before = wrong.size();
        if (took.compareTo(AT_ONCE) > 0) {
            wrong.add("took " + took);
        }
        audit.look(number, failure);
        faulty.failAt(0, kind);
        try {
            audit.look(draw.one(), null);
        } catch (SequenceException e) {
            wrong.add("the next call fails: " + e);
        }
        for (int i = 0; i < 4000 && faulty.open() > lost; i++) {
            TimeUnit.MILLISECONDS.sleep(5); // a group's committer returns its connection on its own thread
        }
        if (faulty.open() > lost) {
            wrong.add("kept " + (faulty.open() - lost) + " connections");
            lost = faulty.open();
        }
        for (int i = before; i < wrong.size(); i++) {
            wrong.set(i, "call " + call + ", " + failed + ", " + kind + " -> " + failure + ": " + wrong.get(i));
        }
    }
}
