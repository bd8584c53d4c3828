// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.SequenceTable;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import jakarta.persistence.TableGenerator;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import me.ahoo.cosid.CosIdException;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import org.hibernate.SessionFactory;
import org.hibernate.exception.ConstraintViolationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The ways of docs/moving.md, with the real generators: into {@code @Seriatim} and back, also while both write. */
@Timeout(300)
class MovingTest {

    private static final boolean SOAK = "soak".equals(System.getProperty("seriatim.trials"));
    private static final int ROWS = 110; // more than two blocks of 50
    private static final long FAR = 1_000_000_000;

    @MappedSuperclass
    abstract static class Row {
        @Nullable
        String writer;

        abstract Long id();
    }

    @Entity
    @Table(name = "thing")
    static class Numbered extends Row {
        @Id
        @Seriatim("thing_id")
        Long id;

        @Override
        Long id() {
            return id;
        }
    }

    @Entity
    @Table(name = "thing")
    static class BySequence extends Row {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "thing_seq")
        @SequenceGenerator(name = "thing_seq", sequenceName = "thing_seq", allocationSize = 50)
        Long id;

        @Override
        Long id() {
            return id;
        }
    }

    @Entity
    @Table(name = "thing")
    static class ByTable extends Row {
        @Id
        @GeneratedValue(strategy = GenerationType.TABLE, generator = "ids")
        @TableGenerator(
                name = "ids",
                table = "ids",
                pkColumnName = "name",
                valueColumnName = "next_val",
                pkColumnValue = "thing",
                allocationSize = 50)
        Long id;

        @Override
        Long id() {
            return id;
        }
    }

    @Entity
    @Table(name = "thing")
    static class ByIdentity extends Row {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        Long id;

        @Override
        Long id() {
            return id;
        }
    }

    @Entity
    @Table(name = "thing")
    static class Assigned extends Row {
        @Id
        Long id;

        @Override
        Long id() {
            return id;
        }
    }

    private enum Old {
        SEQUENCE(BySequence.class),
        SEQUENCE_LO(BySequence.class),
        TABLE(ByTable.class),
        IDENTITY(ByIdentity.class),
        COSID(Assigned.class),
        LEAF(Assigned.class);

        private final Class<? extends Row> entity;

        Old(Class<? extends Row> entity) {
            this.entity = entity;
        }

        boolean hasRow() {
            return entity == Assigned.class;
        }
    }

    /** CosId's port over its table: as its JDBC module, it updates the row, reads it and commits. */
    private static final class CosId extends IdSegmentDistributor.Atomic {
        private final Database database;

        CosId(Database database) {
            super(50);
            this.database = database;
        }

        @Override
        public long nextMaxId(long step) {
            try {
                return moved(
                        database,
                        "UPDATE cosid SET last_max_id = last_max_id + " + step
                                + ", last_fetch_time = 1 WHERE name = 'thing_id'",
                        "SELECT last_max_id FROM cosid WHERE name = 'thing_id'");
            } catch (SQLException e) {
                throw new CosIdException(e.getMessage(), e);
            }
        }
    }

    /** Leaf's segments: a block of {@code step} numbers ends before {@code max_id}. */
    private static final class Leaf implements LongSupplier {
        private final Database database;
        private long next;
        private long end;

        Leaf(Database database) {
            this.database = database;
        }

        @Override
        public synchronized long getAsLong() {
            if (next == end) {
                try {
                    end = moved(
                            database,
                            "UPDATE leaf_alloc SET max_id = max_id + step WHERE biz_tag = 'thing_id'",
                            "SELECT max_id FROM leaf_alloc WHERE biz_tag = 'thing_id'");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
                next = end - 50;
            }
            return next++;
        }
    }

    private static long moved(Database database, String update, String read) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.executeUpdate(update);
            try (ResultSet row = statement.executeQuery(read)) {
                row.next();
                long value = row.getLong(1);
                connection.commit();
                return value;
            }
        }
    }

    /** What has been stored, as each writer was answered. */
    private final Map<Long, String> stored = new ConcurrentHashMap<>();

    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger names = new AtomicInteger();

    /** Two replicas of an application, each of which stores a row after the other until it is stopped. */
    private final class Application implements AutoCloseable {
        private final List<SessionFactory> replicas = new ArrayList<>();
        private final List<Thread> threads = new ArrayList<>();
        private final Semaphore written = new Semaphore(0);
        private final String name;
        private volatile boolean stopped;

        Application(String kind, Map<String, Object> settings, Class<? extends Row> entity, List<LongSupplier> ids) {
            name = kind + "-" + names.incrementAndGet();
            for (int i = 0; i < 2; i++) {
                SessionFactory replica = Factories.open(settings, entity);
                replicas.add(replica);
                LongSupplier assigned = ids.isEmpty() ? () -> 0 : ids.get(i);
                String writer = name + "." + i;
                threads.add(new Thread(() -> write(replica, entity, assigned, writer), writer));
            }
            threads.forEach(Thread::start);
        }

        private void write(SessionFactory replica, Class<? extends Row> entity, LongSupplier ids, String writer) {
            try {
                while (!stopped) {
                    Row row = entity.getDeclaredConstructor().newInstance();
                    row.writer = writer;
                    if (row instanceof Assigned assigned) {
                        assigned.id = ids.getAsLong();
                    }
                    replica.inTransaction(session -> session.persist(row));
                    String before = stored.put(row.id(), writer);
                    if (before != null) {
                        throw new IllegalStateException(row.id() + " is of " + before + " and " + writer);
                    }
                    written.release();
                }
            } catch (ReflectiveOperationException | RuntimeException e) {
                failures.add(e);
                written.release(1_000_000);
            }
        }

        /** Waits until these replicas have stored more rows. */
        Application writes() throws InterruptedException {
            written.drainPermits();
            assertThat(written.tryAcquire(ROWS, 60, TimeUnit.SECONDS)).isTrue();
            assertThat(failures).isEmpty();
            return this;
        }

        /** Like {@link #writes}, while another application writes, too. */
        void writesBesideAnother() throws InterruptedException {
            if (SOAK) {
                Thread.sleep(30_000);
            }
            writes();
        }

        @Override
        public void close() {
            stopped = true;
            for (Thread thread : threads) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            replicas.forEach(SessionFactory::close);
        }
    }

    private Application old(Old old, Database database) {
        Map<String, Object> settings = Factories.settings(database);
        settings.put("hibernate.connection.pool_size", 4);
        if (old == Old.SEQUENCE_LO) {
            settings.put("hibernate.id.optimizer.pooled.preferred", "pooled-lo");
        }
        List<LongSupplier> ids = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            if (old == Old.COSID) {
                ids.add(new SegmentChainId(new CosId(database))::generate);
            } else if (old == Old.LEAF) {
                ids.add(new Leaf(database));
            }
        }
        return new Application(old.name(), settings, old.entity, ids);
    }

    private Application numbered(Database database, String action, @Nullable JdbcSequences sequences) {
        Map<String, Object> settings = Factories.settings(database, "hibernate.hbm2ddl.auto", action);
        settings.put("hibernate.connection.pool_size", 4);
        if (sequences != null) {
            settings.put(SeriatimSettings.SEQUENCES, sequences);
        }
        return new Application("SERIATIM", settings, Numbered.class, List.of());
    }

    private static Database before(Old old, Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        if (old == Old.COSID) {
            database.execute(
                    "CREATE TABLE cosid (name VARCHAR(100) NOT NULL PRIMARY KEY, last_max_id BIGINT NOT NULL,"
                            + " last_fetch_time BIGINT NOT NULL)",
                    "INSERT INTO cosid VALUES ('thing_id', 0, 0)");
        } else if (old == Old.LEAF) {
            database.execute(
                    "CREATE TABLE leaf_alloc (biz_tag VARCHAR(128) NOT NULL PRIMARY KEY,"
                            + " max_id BIGINT NOT NULL DEFAULT 1, step INT NOT NULL, description VARCHAR(256),"
                            + " update_time TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP)",
                    "INSERT INTO leaf_alloc (biz_tag, step) VALUES ('thing_id', 50)");
        }
        return database;
    }

    private void everyRowIsThere(Database database) throws SQLException {
        assertThat(failures).isEmpty();
        Map<Long, String> rows = new ConcurrentHashMap<>();
        try (Connection connection = database.connect();
                PreparedStatement all = connection.prepareStatement("SELECT id, writer FROM thing");
                ResultSet row = all.executeQuery()) {
            while (row.next()) {
                rows.put(row.getLong(1), row.getString(2));
            }
        }
        assertThat(rows).isEqualTo(stored);
    }

    private static final String CASES = """
            SEQUENCE,    POSTGRESQL
            SEQUENCE,    MARIADB
            SEQUENCE_LO, POSTGRESQL
            SEQUENCE_LO, MARIADB
            TABLE,       POSTGRESQL
            TABLE,       MARIADB
            IDENTITY,    POSTGRESQL
            IDENTITY,    MARIADB
            COSID,       POSTGRESQL
            COSID,       MARIADB
            LEAF,        POSTGRESQL
            LEAF,        MARIADB
            """;

    @ParameterizedTest
    @CsvSource(textBlock = CASES)
    void one_after_the_other(Old old, Engine engine) throws Exception {
        Database database = before(old, engine);
        old(old, database).writes().close();
        long last = database.number("SELECT max(id) FROM thing");
        numbered(database, "update", null).writes().close();
        assertThat(database.number("SELECT min(id) FROM thing WHERE writer LIKE 'SERIATIM%'"))
                .isEqualTo(last + 1);
        long max = database.number("SELECT max(id) FROM thing");
        boolean postgres = engine == Engine.POSTGRESQL;
        switch (old) {
            case SEQUENCE, SEQUENCE_LO ->
                database.execute(
                        postgres ? "SELECT setval('thing_seq', " + max + ")" : "SELECT SETVAL(thing_seq, " + max + ")");
            case TABLE -> database.execute("UPDATE ids SET next_val = " + (max + 50) + " WHERE name = 'thing'");
            case IDENTITY -> {
                if (postgres) {
                    database.execute("SELECT setval(pg_get_serial_sequence('thing', 'id'), " + max + ")");
                }
            }
            case COSID -> database.execute("UPDATE cosid SET last_max_id = " + max + " WHERE name = 'thing_id'");
            case LEAF ->
                database.execute("UPDATE leaf_alloc SET max_id = " + (max + 1) + " WHERE biz_tag = 'thing_id'");
        }
        old(old, database).writes().close();
        everyRowIsThere(database);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource(textBlock = CASES)
    void both_at_once(Old old, Engine engine) throws Exception {
        Database database = before(old, engine);
        try (JdbcSequences ours = JdbcSequences.open(database.dataSource());
                JdbcSequences theirs = old.hasRow() ? theirs(old, database) : ours) {
            try (Application before = old(old, database).writes()) {
                in(old, engine, database, ours);
                try (Application after = numbered(database, "none", old.hasRow() ? theirs : null)) {
                    after.writesBesideAnother();
                    before.writes().close();
                    after.writes();
                    back(old, engine, database, ours);
                    try (Application again = old(old, database)) {
                        again.writesBesideAnother();
                        after.writes().close();
                        again.writes();
                    }
                }
            }
        }
        everyRowIsThere(database);
        if (SOAK) {
            System.out.printf(
                    "trial: %s on %s: %d rows, %d of them by @Seriatim; 0 duplicates, 0 failures%n",
                    old,
                    engine,
                    stored.size(),
                    stored.values().stream()
                            .filter(name -> name.startsWith("SERIATIM"))
                            .count());
        }
    }

    /** AUTO_INCREMENT follows inserted values into the block that another process has reserved, unless it is above a bound. */
    @Tag("long")
    @Test
    void auto_increment_takes_over_above_a_bound() throws Exception {
        Database database = Engine.MARIADB.freshDatabase();
        try (JdbcSequences ours = JdbcSequences.open(database.dataSource())) {
            old(Old.IDENTITY, database).writes().close();
            try (Application after = numbered(database, "update", null).writes()) {
                long bound = ours.store().describe("thing_id").nextValue() + 1_000_000;
                ours.store()
                        .alter(
                                "thing_id",
                                definition ->
                                        definition.toBuilder().maxValue(bound).build());
                database.execute("ALTER TABLE thing AUTO_INCREMENT = " + (bound + 1));
                try (Application again = old(Old.IDENTITY, database)) {
                    again.writesBesideAnother();
                    after.writes();
                }
            }
        }
        everyRowIsThere(database);
    }

    /** What the page warns of. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void without_the_first_step_an_insert_fails_and_the_next_start_is_refused(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        Map<String, Object> settings = Factories.settings(database);
        try (SessionFactory before = Factories.open(settings, BySequence.class)) {
            assertThat(persisted(before, new BySequence())).isEqualTo(1);
            try (SessionFactory after = Factories.open(settings, Numbered.class)) {
                assertThat(persisted(after, new Numbered())).isEqualTo(2);
            }
            assertThatThrownBy(() -> persisted(before, new BySequence()))
                    .isInstanceOf(ConstraintViolationException.class);
            long counter = database.number("SELECT next_value FROM seriatim_sequence WHERE name = 'thing_id'");
            long reached = 0;
            while (reached < counter) {
                reached = persisted(before, new BySequence());
            }
            assertThatThrownBy(() -> Factories.open(settings, Numbered.class))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining("'thing_id' (thing.id has reached " + reached + ")")
                    .hasMessageContaining("; stop any other generator of them, and run 'seriatim sync thing_id --column"
                            + " thing.id --store ");
        }
    }

    private static long persisted(SessionFactory factory, Row row) {
        factory.inTransaction(session -> session.persist(row));
        return row.id();
    }

    private static JdbcSequences theirs(Old old, Database database) {
        SequenceTable table = old == Old.COSID
                ? SequenceTable.lastValue("cosid", "name", "last_max_id")
                : SequenceTable.nextValue("leaf_alloc", "biz_tag", "max_id");
        return JdbcSequences.over(JdbcStore.open(database.dataSource(), table), settings -> {});
    }

    /** While old replicas write. */
    private static void in(Old old, Engine engine, Database database, JdbcSequences ours) throws SQLException {
        SequenceDefinition.Builder sequence =
                SequenceDefinition.named("thing_id").startWith(FAR);
        boolean postgres = engine == Engine.POSTGRESQL;
        switch (old) {
            case SEQUENCE, SEQUENCE_LO -> database.execute("ALTER SEQUENCE thing_seq MAXVALUE 999999900");
            case IDENTITY -> {
                if (postgres) {
                    database.execute("ALTER TABLE thing ALTER COLUMN id SET MAXVALUE 999999999");
                } else {
                    database.execute("ALTER TABLE thing AUTO_INCREMENT = 1000000000");
                    long next = database.number("SELECT MAX(id) + 1 FROM thing WHERE id < 1000000000");
                    sequence =
                            SequenceDefinition.named("thing_id").startWith(next).maxValue(FAR - 1);
                }
            }
            case TABLE, COSID, LEAF -> {}
        }
        if (!old.hasRow()) {
            ours.define(sequence.build());
        }
    }

    /** While new replicas write. */
    private static void back(Old old, Engine engine, Database database, JdbcSequences ours) throws SQLException {
        boolean postgres = engine == Engine.POSTGRESQL;
        if (old.hasRow() || (old == Old.IDENTITY && !postgres)) {
            return; // they share the row, or the old numbers are above the bound already
        }
        long bound = ours.store().describe("thing_id").nextValue() + 1_000_000;
        ours.store()
                .alter(
                        "thing_id",
                        definition -> definition.toBuilder().maxValue(bound).build());
        long beyond = bound + 100;
        switch (old) {
            case SEQUENCE, SEQUENCE_LO ->
                database.execute("ALTER SEQUENCE thing_seq " + (postgres ? "NO MAXVALUE" : "NOMAXVALUE")
                        + " RESTART WITH " + beyond);
            case IDENTITY ->
                database.execute("ALTER TABLE thing ALTER COLUMN id SET NO MAXVALUE RESTART WITH " + beyond);
            default -> database.execute("UPDATE ids SET next_val = " + beyond + " WHERE name = 'thing'");
        }
    }
}
