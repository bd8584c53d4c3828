// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.engine.TransactionalSequences;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.StoreUrl;
import java.sql.Connection;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * The sequences of a database that is reached by JDBC. Where to begin:
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
 * <p>Thread-safe. How transactions, pools and isolation levels matter stands with {@link JdbcStore}.
 */
public final class JdbcSequences extends TransactionalSequences<Connection, JdbcStore> {

    private JdbcSequences(JdbcStore store, boolean owned, Consumer<? super StoreSequences.Builder> settings) {
        super(store, owned, settings);
    }

    /**
     * Opens the sequences in the table {@code seriatim_sequences} of a database, which is made with the first of them.
     *
     * @param source stays the caller's
     * @throws dev.seriatim.SequenceException as {@link JdbcStore#open(DataSource)}
     */
    public static JdbcSequences open(DataSource source) {
        return open(source, settings -> {});
    }

    /**
     * As {@link #open(DataSource)}, with settings of their own: {@code open(source, s -> s.patience(Duration.ofSeconds(2)))}.
     *
     * @throws dev.seriatim.SequenceException as {@link JdbcStore#open(DataSource)}
     */
    public static JdbcSequences open(DataSource source, Consumer<? super StoreSequences.Builder> settings) {
        return new JdbcSequences(JdbcStore.open(source), true, settings);
    }

    /**
     * Opens the sequences of a database that a URL names: {@code sqlite:FILE}, or any {@code jdbc:} URL whose driver is on the class path.
     *
     * @throws dev.seriatim.SequenceException.Misconfigured when it names no table: sequences of the database itself, which are not gapless,
     *     are opened by {@link StoreSequences#open(String)}
     * @throws dev.seriatim.SequenceException as {@link StoreDriver#open(String)}
     */
    public static JdbcSequences open(String url) {
        OpenStore opened = StoreDriver.open(url);
        if (opened instanceof JdbcStore store) {
            return new JdbcSequences(store, true, settings -> {});
        }
        opened.close();
        throw new SequenceException.Misconfigured("'" + StoreUrl.redacted(url)
                + "' names no table of sequences in a database; open it by StoreSequences.open");
    }

    /** The sequences of a store that is open and stays the caller's, such as one with a table of another name. */
    public static JdbcSequences over(JdbcStore store, Consumer<? super StoreSequences.Builder> settings) {
        return new JdbcSequences(store, false, settings);
    }
}
