// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.Sequence;
import dev.seriatim.servers.CrowdedPool;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceConfiguration;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import org.hibernate.Session;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The recipes of the pages, with more threads than the pool has connections, each of which draws in a transaction. */
class CrowdedPoolTest {

    private static final String INSERT = "INSERT INTO article (id) VALUES (?)";

    @Entity(name = "article")
    static class Article {
        @Id
        long id;
    }

    private final HikariDataSource pool = new HikariDataSource();
    private Database database;

    @BeforeEach
    void open() throws SQLException {
        database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE TABLE article (id BIGINT PRIMARY KEY)");
        pool.setJdbcUrl(database.url());
        pool.setMaximumPoolSize(CrowdedPool.SIZE);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private interface Recipe {
        CrowdedPool.Transaction<Long> drawing(Callable<Long> next) throws Exception;
    }

    private void stores(Recipe recipe) throws Exception {
        try (JdbcSequences sequences = JdbcSequences.open(pool)) {
            Sequence articles = sequences.unique("article_id");
            List<Long> drawn = CrowdedPool.run(recipe.drawing(articles::next));
            assertThat(drawn).hasSize(CrowdedPool.TRANSACTIONS).doesNotHaveDuplicates();
            assertThat(database.number("SELECT count(*) FROM article")).isEqualTo(CrowdedPool.TRANSACTIONS);
        }
    }

    @Test
    void jooq() throws Exception {
        DSLContext jooq = DSL.using(pool, SQLDialect.POSTGRES);
        stores(next -> held -> jooq.transactionResult(transaction -> {
            transaction.dsl().selectOne().fetch();
            held.run();
            long id = next.call();
            transaction
                    .dsl()
                    .insertInto(DSL.table("article"))
                    .columns(DSL.field("id"))
                    .values(id)
                    .execute();
            return id;
        }));
    }

    @Test
    void hikari() throws Exception {
        pool.setAutoCommit(false);
        stores(next -> held -> {
            try (Connection connection = pool.getConnection()) {
                held.run();
                long id = next.call();
                insert(connection, id);
                connection.commit();
                return id;
            }
        });
    }

    private static void insert(Connection connection, long id) throws SQLException {
        try (var insert = connection.prepareStatement(INSERT)) {
            insert.setLong(1, id);
            insert.executeUpdate();
        }
    }

    @Test
    void spring() throws Exception {
        JdbcTemplate jdbc = new JdbcTemplate(pool);
        TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(pool));
        stores(next -> held -> transactions.execute(status -> {
            held.run();
            try {
                long id = next.call();
                jdbc.update(INSERT, id);
                return id;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }));
    }

    @Test
    void jpa() throws Exception {
        PersistenceConfiguration unit = new PersistenceConfiguration("articles")
                .managedClass(Article.class)
                .property("hibernate.connection.datasource", pool);
        try (EntityManagerFactory factory = unit.createEntityManagerFactory()) {
            stores(next -> held -> factory.callInTransaction(entities -> {
                entities.unwrap(Session.class).doWork(connection -> held.run());
                Article article = new Article();
                try {
                    article.id = next.call();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                entities.persist(article);
                return article.id;
            }));
        }
    }
}
