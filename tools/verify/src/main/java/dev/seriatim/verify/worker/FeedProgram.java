// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.feed.Entry;
import dev.seriatim.feed.Feed;
import dev.seriatim.feed.FeedReader;
import dev.seriatim.feed.JdbcFeeds;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.verify.worker.TransactionDraws.RolledBackOnPurpose;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The program of a process that writes rows, stamps them or reads them. The first line of its input is an {@link Order} in JSON,
 * the second one ends its work, and the end of the input the process. Each line of its output is a {@link Report}.
 */
public final class FeedProgram {

    /** The name of the reader whose effects are in the database. */
    public static final String READER = "effects";

    private static final Gson JSON = new Gson();
    private static final int MOST_ROWS = 20;
    private static final int ROLLED_BACK = 20;
    private static final int BATCH = 500;

    /** So that a line stays below what a pipe takes at once: the last line of a killed process is then whole. */
    private static final int ENTRIES_PER_REPORT = 80;

    private static final int PAUSE_MILLIS = 3;
    private static final int PAUSE_WITHOUT_LOCK_MILLIS = 30;
    private static final int PAUSE_AFTER_FAILURE_MILLIS = 50;
    private static final int BITS_OF_A_KEY = 32;
    private static final int MOST_THREADS = 1_000;

    /** What a process does. */
    public enum Role {
        /** Inserts 1 to 20 rows in a transaction, and commits a little later; rolls back one transaction in twenty. */
        WRITER,
        /** Gives positions. */
        STAMPER,
        /** Stores each entry in a table, in the transaction of its place. */
        READER,
        /** Knows nothing of feeds, and remembers the last position that it saw. */
        POLLER
    }

    /**
     * The tables, quoted.
     *
     * @param rows where writers insert
     * @param polled the table or view with the columns {@code position} and {@code id}
     * @param feed the feed's name; empty if there is none
     * @param effects the reader's table
     */
    public record Tables(String rows, String polled, String feed, String effects) {}

    /**
     * What to do.
     *
     * @param number the number of this process among all that write, from 1
     * @param threads of a writer
     * @param delayMillis the longest time before a commit
     * @param fromInsert whether the order counts from the insert, not from the commit
     * @param after the last position that a poller has seen
     */
    public record Order(
            Role role,
            String url,
            long patienceMillis,
            Tables tables,
            long number,
            int threads,
            int delayMillis,
            boolean fromInsert,
            long after) {}

    /** The kinds of reports, and their values. */
    public enum Kind {
        /** It has begun. */
        BEGUN,
        /** A commit has returned: the first key, the number of rows, when it was sent, and when it returned. */
        WROTE,
        /** A commit has an unknown outcome. */
        UNKNOWN,
        /** A position and a key, and so on. */
        SAW,
        /** A call has failed. */
        FAILED,
        /** A call has failed, and an unavailable server does not explain it. */
        LASTING,
        /** No further row is written. */
        ENDED
    }

    /** A line of output. */
    public record Report(Kind kind, String reason, List<Long> values) {}

    /** A piece of work: returns whether the next one is to follow at once. */
    @FunctionalInterface
    private interface Turn {
        boolean take() throws Exception;
    }

    private final Order order;
    private final FileOutputStream out;
    private final Tables tables;
    private volatile boolean stopping;
    private long seen;

    private FeedProgram(Order order, FileOutputStream out) {
        this.order = order;
        this.out = out;
        tables = order.tables();
        seen = order.after();
    }

    /**
     * Carries out the order.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) throws IOException {
        @SuppressWarnings("resource") // not System.out, which may write a line in several pieces
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        System.setOut(System.err); // drivers may print
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String first = lines.readLine();
        if (first != null) {
            FeedProgram program = new FeedProgram(JSON.fromJson(first, Order.class), out);
            Thread work = new Thread(program::run, "feed-" + program.order.role());
            work.setDaemon(true);
            work.start();
            lines.readLine();
            program.stopping = true;
            lines.readLine();
        }
        Runtime.getRuntime().halt(0); // without hooks, which take time
    }

    /** Returns the name of the writer that has written a row. */
    public static String writer(long key) {
        long lane = key >> BITS_OF_A_KEY;
        return "writer " + lane / MOST_THREADS + ", thread " + lane % MOST_THREADS;
    }

    /** Writes an order as a line. */
    public static String line(Order order) {
        return JSON.toJson(order);
    }

    /** Reads a line of output; empty if it is not one of this program. */
    public static Optional<Report> report(String line) {
        try {
            return Optional.ofNullable(JSON.fromJson(line, Report.class));
        } catch (JsonParseException e) {
            return Optional.empty();
        }
    }

    private void run() {
        try {
            JdbcStore store = (JdbcStore) WorkerProgram.opened(order.url(), order.patienceMillis());
            List<Thread> threads = new ArrayList<>();
            for (Turn turn : begun(store)) {
                Thread thread = new Thread(() -> work(turn), "turns");
                thread.setDaemon(true);
                threads.add(thread);
            }
            report(Kind.BEGUN, "");
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException | RuntimeException e) {
            report(Kind.LASTING, DrawFailures.text(order.url(), e));
        }
        report(Kind.ENDED, "");
    }

    private List<Turn> begun(JdbcStore store) {
        while (true) {
            try {
                return turns(store);
            } catch (Unavailable | Overloaded e) {
                report(Kind.FAILED, DrawFailures.text(order.url(), e));
                pause(PAUSE_AFTER_FAILURE_MILLIS);
            }
        }
    }

    private List<Turn> turns(JdbcStore store) {
        return switch (order.role()) {
            case WRITER -> {
                List<Turn> writers = new ArrayList<>();
                for (int thread = 0; thread < order.threads(); thread++) {
                    long lane = order.number() * MOST_THREADS + thread;
                    long[] next = {lane << BITS_OF_A_KEY};
                    writers.add(() -> write(store, next));
                }
                yield writers;
            }
            case STAMPER -> {
                if (tables.feed().isEmpty()) {
                    yield List.of(() -> stampWithoutLock(store));
                }
                Feed feed = feed(store);
                yield List.of(() -> feed.stamp() > 0);
            }
            case READER -> {
                FeedReader reader = feed(store).reader(READER);
                yield List.of(() -> reader.run(BATCH, this::keep) > 0);
            }
            case POLLER -> List.of(() -> poll(store));
        };
    }

    @SuppressWarnings("resource") // they end with the process
    private Feed feed(JdbcStore store) {
        return JdbcFeeds.over(store, settings -> settings.createMissing(false)).table(tables.feed());
    }

    private void work(Turn turn) {
        while (!stopping) {
            try {
                pause(turn.take() ? 0 : PAUSE_MILLIS);
            } catch (RolledBackOnPurpose e) {
                // as it should be
            } catch (CommitOutcomeUnknown e) {
                report(Kind.UNKNOWN, "");
            } catch (Exception e) {
                boolean lasting = DrawFailures.isLasting(e);
                report(lasting ? Kind.LASTING : Kind.FAILED, DrawFailures.text(order.url(), e));
                pause(PAUSE_AFTER_FAILURE_MILLIS);
            }
        }
    }

    private static void pause(int longestMillis) {
        try {
            Thread.sleep(longestMillis == 0 ? 0 : ThreadLocalRandom.current().nextInt(longestMillis) + 1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // no code does
        }
    }

    private static void rollBackSometimes() throws RolledBackOnPurpose {
        if (ThreadLocalRandom.current().nextInt(ROLLED_BACK) == 0) {
            throw new RolledBackOnPurpose();
        }
    }

    private boolean write(JdbcStore store, long[] next) throws Exception {
        int rows = 1 + ThreadLocalRandom.current().nextInt(MOST_ROWS);
        long first = next[0];
        next[0] += rows;
        long began = store.<Long, Exception>inTransaction(connection -> {
            long inserted = System.nanoTime();
            List<long[]> keys = new ArrayList<>();
            for (int i = 0; i < rows; i++) {
                keys.add(new long[] {first + i});
            }
            insert(connection, tables.rows() + " (id, note) VALUES (?, 'a row')", keys);
            pause(order.delayMillis());
            rollBackSometimes();
            return order.fromInsert() ? inserted : System.nanoTime();
        });
        report(Kind.WROTE, "", first, (long) rows, began, System.nanoTime());
        return true;
    }

    private static void insert(Connection transaction, String into, List<long[]> rows) throws SQLException {
        try (PreparedStatement insert = transaction.prepareStatement("INSERT INTO " + into)) {
            for (long[] row : rows) {
                for (int i = 0; i < row.length; i++) {
                    insert.setLong(i + 1, row[i]);
                }
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private void keep(Connection transaction, List<Entry> batch) throws SQLException, RolledBackOnPurpose {
        List<long[]> rows = batch.stream()
                .map(entry -> new long[] {entry.position(), (Long) entry.key()})
                .toList();
        insert(transaction, tables.effects() + " (position, id) VALUES (?, ?)", rows);
        rollBackSometimes();
    }

    private boolean poll(JdbcStore store) throws SQLException {
        String query =
                "SELECT position, id FROM " + tables.polled() + " WHERE position > ? ORDER BY position LIMIT " + BATCH;
        List<long[]> entries = store.<List<long[]>, SQLException>inTransaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(query)) {
                statement.setLong(1, seen);
                return read(statement);
            }
        });
        for (int from = 0; from < entries.size(); from += ENTRIES_PER_REPORT) {
            List<long[]> some = entries.subList(from, Math.min(entries.size(), from + ENTRIES_PER_REPORT));
            report(
                    Kind.SAW,
                    "",
                    some.stream().flatMapToLong(Arrays::stream).boxed().toArray(Long[]::new));
            seen = some.get(some.size() - 1)[0];
        }
        return !entries.isEmpty();
    }

    private static List<long[]> read(PreparedStatement statement) throws SQLException {
        List<long[]> rows = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                rows.add(new long[] {row.getLong(1), row.getLong(2)});
            }
        }
        return rows;
    }

    /** A control: reads the last position, and later counts on from it. */
    private boolean stampWithoutLock(JdbcStore store) throws SQLException {
        String last = "SELECT coalesce(max(position), 0), 0 FROM " + tables.polled();
        String unstamped = "SELECT t.id, 0 FROM " + tables.rows() + " t WHERE NOT EXISTS (SELECT 1 FROM "
                + tables.polled() + " p WHERE p.id = t.id) ORDER BY t.id LIMIT " + BATCH;
        long before = store.<Long, SQLException>inTransaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(last)) {
                return read(statement).get(0)[0];
            }
        });
        pause(PAUSE_WITHOUT_LOCK_MILLIS);
        return store.<Boolean, SQLException>inTransaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(unstamped)) {
                List<long[]> rows = read(statement);
                for (int i = 0; i < rows.size(); i++) {
                    rows.set(i, new long[] {before + i + 1, rows.get(i)[0]});
                }
                insert(connection, tables.polled() + " (position, id) VALUES (?, ?)", rows);
                return !rows.isEmpty();
            }
        });
    }

    private void report(Kind kind, String reason, Long... values) {
        byte[] line = (JSON.toJson(new Report(kind, reason, List.of(values))) + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (out) {
            try {
                out.write(line);
            } catch (IOException e) {
                Runtime.getRuntime().halt(0); // the parent has ended
            }
        }
    }
}
