// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.engine.TransactionalSequences;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.StoreUrl;
import java.sql.Connection;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * The sequences of a database, accessed over JDBC. The entry point of this module:
 *
 * <pre>{@code
 * try (JdbcSequences sequences = JdbcSequences.open(dataSource)) {
 *     Sequence orders = sequences.unique("order_id");
 *     GaplessSequence<Connection> invoices = sequences.gapless("invoice_id");
 *     long order = orders.next();
 *     long invoice = invoices.next(connection); // in your transaction
 * }
 * }</pre>
 *
 * <p>Thread-safe. {@link JdbcStore} documents transactions, pools and isolation levels.
 */
public final class JdbcSequences extends TransactionalSequences<Connection, JdbcStore> {

    private JdbcSequences(
            Function<Duration, JdbcStore> opening, boolean owned, Consumer<? super StoreSequences.Builder> settings) {
        super(opening, owned, settings);
    }

    /**
     * Opens the sequences in the table {@code seriatim_sequence} of a database, over connections of their own: callers may draw
     * while they hold every connection of the application's pool. Beside a HikariCP pool, these are up to four; any other source
     * lends one until the sequences are closed. The first sequence creates the table.
     *
     * @param source remains owned by the caller
     * @throws dev.seriatim.SequenceException as {@link JdbcStore#keeping(DataSource, SequenceTable, DurabilityCheck, Duration)}
     */
    public static JdbcSequences open(DataSource source) {
        return open(source, settings -> {});
    }

    /**
     * Like {@link #open(DataSource)}, with custom settings: {@code open(source, s ->
     * s.patience(Duration.ofSeconds(2)))}.
     *
     * @throws dev.seriatim.SequenceException as {@link #open(DataSource)}
     */
    public static JdbcSequences open(DataSource source, Consumer<? super StoreSequences.Builder> settings) {
        return new JdbcSequences(
                patience -> JdbcStore.keeping(source, SequenceTable.own(), DurabilityCheck.REQUIRED, patience),
                true,
                settings);
    }

    /**
     * Like {@link #open(DataSource)}, with at most {@code connections} connections of their own for all work, including callers'
     * transactions.
     *
     * @throws dev.seriatim.SequenceException as {@link JdbcStore#keeping(DataSource, int, SequenceTable, DurabilityCheck, Duration)}
     */
    public static JdbcSequences keeping(
            DataSource source, int connections, Consumer<? super StoreSequences.Builder> settings) {
        return new JdbcSequences(
                patience ->
                        JdbcStore.keeping(source, connections, SequenceTable.own(), DurabilityCheck.REQUIRED, patience),
                true,
                settings);
    }

    /**
     * Like {@link #open(DataSource)}, over a connection borrowed from the source for each reservation, such as the only one of its
     * pool. Callers that hold every connection while they draw wait for each other.
     *
     * @throws dev.seriatim.SequenceException as {@link JdbcStore#open(DataSource)}
     */
    public static JdbcSequences borrowing(DataSource source, Consumer<? super StoreSequences.Builder> settings) {
        return new JdbcSequences(
                patience -> JdbcStore.open(source, SequenceTable.own(), DurabilityCheck.REQUIRED, patience),
                true,
                settings);
    }

    /**
     * Opens the sequences of the database that a URL names: {@code sqlite:FILE}, or any {@code jdbc:} URL whose
     * driver is on the class path.
     *
     * @throws dev.seriatim.SequenceException.Misconfigured if the URL names no table; open a database's native
     *     sequences, which are not gapless, with {@link StoreSequences#open(String)}
     * @throws dev.seriatim.SequenceException as {@link StoreDriver#open(String)}
     */
    public static JdbcSequences open(String url) {
        OpenStore opened = StoreDriver.open(url);
        if (opened instanceof JdbcStore store) {
            return new JdbcSequences(patience -> store, true, settings -> {});
        }
        opened.close();
        throw new SequenceException.Misconfigured("'" + StoreUrl.redacted(url)
                + "' does not name a table of sequences in a database; open it with StoreSequences.open");
    }

    /**
     * Returns the sequences of an open store, such as one with a custom table name. The store remains owned by the
     * caller.
     */
    public static JdbcSequences over(JdbcStore store, Consumer<? super StoreSequences.Builder> settings) {
        return new JdbcSequences(patience -> store, false, settings);
    }
}
