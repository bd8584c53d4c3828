// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** A table of invoices, a pool, and the usual Spring objects over it. */
final class Invoices implements AutoCloseable {

    final Database database;
    final HikariDataSource pool;
    final JdbcTemplate jdbc;
    final JdbcTransactionManager manager;
    final JdbcSequences sequences;
    final GaplessNumbers numbers;

    Invoices(Engine engine) throws SQLException {
        this(engine, true);
    }

    Invoices(Engine engine, boolean autoCommit) throws SQLException {
        this(engine, autoCommit, 10);
    }

    /** With fewer than ten connections, a caller waits half a second for one, and the sequences have their own. */
    Invoices(Engine engine, boolean autoCommit, int connections) throws SQLException {
        database = engine.freshDatabase();
        database.execute("CREATE TABLE invoice (number BIGINT PRIMARY KEY)");
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setAutoCommit(autoCommit);
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(connections < 10 ? 500 : 30_000);
        config.setMinimumIdle(0);
        pool = new HikariDataSource(config);
        jdbc = new JdbcTemplate(pool);
        manager = new JdbcTransactionManager(pool);
        sequences = JdbcSequences.open(connections < 10 ? database.dataSource() : pool);
        numbers = numbersOf(pool);
    }

    GaplessNumbers numbersOf(DataSource source) {
        return GaplessNumbers.of(sequences.gapless("invoice_id"), source);
    }

    TransactionTemplate transaction() {
        return transaction(TransactionDefinition.PROPAGATION_REQUIRED);
    }

    TransactionTemplate transaction(int propagation) {
        TransactionTemplate template = new TransactionTemplate(manager);
        template.setPropagationBehavior(propagation);
        return template;
    }

    /** Draws a number and stores it. */
    long issue() {
        long number = numbers.next();
        store(number);
        return number;
    }

    void store(long number) {
        jdbc.update("INSERT INTO invoice (number) VALUES (?)", number);
    }

    /** Checks that the committed rows are exactly 1 … counter, and their number. */
    void areExactly(long count) {
        List<Long> stored = jdbc.queryForList("SELECT number FROM invoice ORDER BY number", Long.class);
        assertThat(stored)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, count).boxed().toList());
        assertThat(sequences.store().describe("invoice_id").nextValue()).isEqualTo(count + 1);
    }

    @Override
    public void close() {
        sequences.close();
        pool.close();
    }
}
