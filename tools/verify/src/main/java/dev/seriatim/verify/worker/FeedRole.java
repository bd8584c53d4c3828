// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.SequenceListener;
import dev.seriatim.feed.Feed;
import dev.seriatim.feed.FeedReader;
import dev.seriatim.feed.JdbcFeeds;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.store.OpenStore;
import dev.seriatim.verify.worker.TransactionDraws.RolledBackOnPurpose;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;

/**
 * What a process does in a trial of feeds. The order names the table of the rows as its sequence, what is polled as its ledger, and
 * the longest time before a commit in milliseconds as its numbers.
 */
public enum FeedRole implements LaneDraws.Generator {
    /** Inserts 1 to 20 rows in a transaction, and commits a little later. Its draws are keys, from the commit to its return. */
    WRITER,
    STAMPER,
    /** Stores each entry in the transaction of its place, in the table {@link #READ}. */
    READER,
    /** Remembers the last position that it saw, and stores what it saw afterwards, in the table {@link #SEEN}. */
    POLLER,
    /** A control: reads the last position, and later counts on from it. */
    UNLOCKED;

    /** What follows the name of the rows' table in that of the reader's table. */
    public static final String READ = "_read";

    /** The same for the poller. */
    public static final String SEEN = "_seen";

    private static final int MOST_ROWS = 20;
    private static final int BATCH = 500;
    private static final int PAUSE_MILLIS = 3;
    private static final int PAUSE_WITHOUT_LOCK_MILLIS = 30;

    /** The bits of a key that count the rows of a writer; those above are the writer. */
    private static final int ROWS_OF_A_WRITER = 24;

    /** Returns how many rows or entries were moved; 0 if there were none. */
    @FunctionalInterface
    public interface Work {
        int run() throws Exception;
    }

    public static long writer(long key) {
        return key >> ROWS_OF_A_WRITER;
    }

    @Override
    public LaneDraws open(OpenStore store, LaneOrder order, SequenceListener listener) {
        JdbcStore database = (JdbcStore) store;
        Work work = work(database, order);
        ThreadLocal<long[]> next = ThreadLocal.withInitial(
                () -> new long[] {ThreadLocalRandom.current().nextLong(1L << 38) << ROWS_OF_A_WRITER});
        return log -> {
            log.begin();
            if (this == WRITER) {
                write(database, order, log, next.get());
                return;
            }
            int moved = work.run();
            log.drew(next.get()[0]++, 1);
            log.rest(moved == 0 ? PAUSE_MILLIS : 0);
        };
    }

    /** Returns the work of a turn; of a writer, none. */
    public Work work(JdbcStore database, LaneOrder order) {
        Feed[] feed = new Feed[1];
        long[] place = {-1};
        return () -> {
            if (feed[0] == null && (this == STAMPER || this == READER)) {
                feed[0] = JdbcFeeds.over(database, settings -> settings.createMissing(false))
                        .table(order.sequence());
            }
            return switch (this) {
                case WRITER -> 0;
                case STAMPER -> feed[0].stamp();
                case READER -> read(feed[0].reader("reader"), order);
                case POLLER -> poll(database, order, place);
                case UNLOCKED -> stampWithoutLock(database, order);
            };
        };
    }

    private static void write(JdbcStore database, LaneOrder order, LaneLog log, long[] next) throws Exception {
        String product = database.dialect().product();
        boolean numberedAtInsert = product.equals("MariaDB") || product.equals("MySQL");
        int rows = 1 + ThreadLocalRandom.current().nextInt(MOST_ROWS);
        long first = next[0];
        next[0] += rows;
        try {
            database.<Boolean, Exception>inTransaction(connection -> {
                log.begin();
                List<long[]> keys = LongStream.range(first, first + rows)
                        .mapToObj(key -> new long[] {key})
                        .toList();
                insert(connection, order.sequence() + " (id) VALUES (?)", keys);
                Thread.sleep(ThreadLocalRandom.current().nextInt(order.numbers()));
                rollBackSometimes(order);
                if (!numberedAtInsert) {
                    log.begin();
                }
                return true;
            });
            log.drew(first, rows);
        } catch (RolledBackOnPurpose e) {
            // no row
        }
    }

    private static void rollBackSometimes(LaneOrder order) throws RolledBackOnPurpose {
        if (ThreadLocalRandom.current().nextDouble() < order.shares().rolledBack()) {
            throw new RolledBackOnPurpose();
        }
    }

    private static int read(FeedReader reader, LaneOrder order) throws Exception {
        try {
            return reader.run(BATCH, (connection, batch) -> {
                List<long[]> rows = batch.stream()
                        .map(entry -> new long[] {entry.position(), (Long) entry.key()})
                        .toList();
                insert(connection, order.sequence() + READ + " (position, id) VALUES (?, ?)", rows);
                rollBackSometimes(order);
            });
        } catch (RolledBackOnPurpose e) {
            return 1;
        }
    }

    /** @param place the last position seen; -1 if that must be looked up */
    private static int poll(JdbcStore database, LaneOrder order, long[] place) throws SQLException {
        String seen = order.sequence() + SEEN;
        long after = place[0] >= 0
                ? place[0]
                : rows(database, "SELECT coalesce(max(position), 0), 0 FROM " + seen)
                        .get(0)[0];
        place[0] = -1;
        List<long[]> rows = rows(
                database,
                "SELECT position, id FROM " + order.ledger() + " WHERE position > " + after
                        + " ORDER BY position LIMIT " + BATCH);
        if (!rows.isEmpty()) {
            database.<Boolean, SQLException>inTransaction(
                    connection -> insert(connection, seen + " (position, id) VALUES (?, ?)", rows));
        }
        place[0] = rows.isEmpty() ? after : rows.get(rows.size() - 1)[0];
        return rows.size();
    }

    private static int stampWithoutLock(JdbcStore database, LaneOrder order) throws Exception {
        String positions = order.ledger();
        long last = rows(database, "SELECT coalesce(max(position), 0), 0 FROM " + positions)
                .get(0)[0];
        Thread.sleep(ThreadLocalRandom.current().nextInt(PAUSE_WITHOUT_LOCK_MILLIS));
        List<long[]> rows = rows(
                database,
                "SELECT 0, t.id FROM " + order.sequence() + " t WHERE NOT EXISTS (SELECT 1 FROM " + positions
                        + " p WHERE p.id = t.id) ORDER BY t.id LIMIT " + BATCH);
        for (int i = 0; i < rows.size(); i++) {
            rows.get(i)[0] = last + i + 1;
        }
        database.<Boolean, SQLException>inTransaction(
                connection -> insert(connection, positions + " (position, id) VALUES (?, ?)", rows));
        return rows.size();
    }

    private static List<long[]> rows(JdbcStore database, String query) throws SQLException {
        return database.<List<long[]>, SQLException>inTransaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(query);
                    ResultSet row = statement.executeQuery()) {
                List<long[]> rows = new ArrayList<>();
                while (row.next()) {
                    rows.add(new long[] {row.getLong(1), row.getLong(2)});
                }
                return rows;
            }
        });
    }

    private static boolean insert(Connection transaction, String into, List<long[]> rows) throws SQLException {
        try (PreparedStatement insert = transaction.prepareStatement("INSERT INTO " + into)) {
            for (long[] row : rows) {
                for (int i = 0; i < row.length; i++) {
                    insert.setLong(i + 1, row[i]);
                }
                insert.addBatch();
            }
            insert.executeBatch();
        }
        return true;
    }
}
