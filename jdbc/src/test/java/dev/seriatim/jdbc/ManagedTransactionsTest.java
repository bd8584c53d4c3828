// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.TransactionalSequence;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.core.BaseConnection;
import org.postgresql.xa.PGXAConnection;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Numbers drawn on connections whose transactions belong to a framework or a transaction manager. */
class ManagedTransactionsTest {

    private static Database database;

    private JdbcStore store;
    private TransactionalSequence<Connection> invoices;

    @BeforeAll
    static void create() throws SQLException {
        database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE TABLE invoice (id BIGINT PRIMARY KEY)");
    }

    @BeforeEach
    void open() throws SQLException {
        store = JdbcStore.open(database.dataSource());
        if (store.list().isEmpty()) {
            store.create(SequenceDefinition.of("invoice_id"));
        }
        store.restart("invoice_id", 1);
        database.execute("DELETE FROM invoice");
        invoices = TransactionalSequence.of(store, "invoice_id");
    }

    @Test
    void spring_commits_the_number_with_the_row_and_takes_both_back() throws SQLException {
        DataSource source = database.dataSource();
        TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(source));
        transactions.executeWithoutResult(status -> insert(DataSourceUtils.getConnection(source)));
        assertThatThrownBy(() -> transactions.executeWithoutResult(status -> {
                    insert(DataSourceUtils.getConnection(source));
                    throw new IllegalStateException("refused");
                }))
                .hasMessage("refused");
        transactions.executeWithoutResult(status -> insert(DataSourceUtils.getConnection(source)));
        twoInvoices();
    }

    @Test
    void a_transaction_monitor_commits_the_number_with_the_row_and_takes_both_back() throws Exception {
        XAConnection pooled = new PGXAConnection(database.connect().unwrap(BaseConnection.class));
        try {
            XAResource monitored = pooled.getXAResource();
            for (int branch = 1; branch <= 3; branch++) {
                Xid xid = new Branch(branch);
                monitored.start(xid, XAResource.TMNOFLAGS);
                insert(pooled.getConnection());
                monitored.end(xid, XAResource.TMSUCCESS);
                if (branch == 2) {
                    monitored.rollback(xid);
                } else {
                    monitored.commit(xid, true);
                }
            }
        } finally {
            pooled.close();
        }
        twoInvoices();
    }

    /** A transaction manager's identifier for its branch of a distributed transaction. */
    private record Branch(int number) implements Xid {
        @Override
        public int getFormatId() {
            return 1;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return new byte[] {(byte) number};
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }

    private void twoInvoices() throws SQLException {
        assertThat(database.number("SELECT COUNT(*) FROM invoice")).isEqualTo(2);
        assertThat(database.number("SELECT MAX(id) FROM invoice")).isEqualTo(2);
        assertThat(store.describe("invoice_id").nextValue()).isEqualTo(3);
    }

    private void insert(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO invoice VALUES (" + invoices.next(connection) + ")");
        } catch (SQLException e) {
            throw new AssertionError("the row could not be inserted", e);
        }
    }
}
