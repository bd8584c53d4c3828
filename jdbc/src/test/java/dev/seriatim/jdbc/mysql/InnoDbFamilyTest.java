// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.GaplessSequence;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.DurabilityCheck;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.SequenceTable;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InnoDbFamilyTest {

    /** The values of read_only: numbers before MariaDB 12.0.1, names since. */
    @ParameterizedTest
    @CsvSource({"0, false", "1, true", "'OFF', false", "'ON', true", "'NO_LOCK', true", "'NO_LOCK_NO_ADMIN', true"})
    void a_server_is_a_standby_if_it_is_read_only_in_any_way(String value, boolean standby) throws SQLException {
        String literal = Character.isDigit(value.charAt(0)) ? value : "'" + value + "'";
        String query = "SELECT "
                + new MariaDbDialect(false, true, true, true)
                        .onStandby()
                        .orElseThrow()
                        .replace("@@GLOBAL.read_only", literal);
        Database database = Engine.MARIADB.freshDatabase();
        for (String prepared : new String[] {"false", "true"}) {
            try (Connection connection =
                            database.option("useServerPrepStmts", prepared).connect();
                    PreparedStatement statement = connection.prepareStatement(query);
                    ResultSet row = statement.executeQuery()) {
                row.next();
                assertThat(row.getBoolean(1)).isEqualTo(standby);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"transactionReplay=true", "TRANSACTIONREPLAY=1", "transactionReplay", "transactionReplay="})
    void a_driver_that_repeats_transactions_is_refused(String option) {
        Database database = Engine.MARIADB.freshDatabase();
        String url = database.url() + "&" + option;
        refused(() -> JdbcSequences.open(url));
        refused(() -> JdbcSequences.open(url.replace("jdbc:mariadb:", "jdbc:mariadb:sequential:")));
    }

    @Test
    void it_is_refused_over_a_pool_even_if_only_a_property_says_so() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(Engine.MARIADB.freshDatabase().url());
        config.addDataSourceProperty("transactionReplay", "true");
        config.setMaximumPoolSize(2);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            refused(() -> JdbcStore.open(pool, SequenceTable.own(), DurabilityCheck.WARN, Duration.ofSeconds(10)));
            refused(() ->
                    JdbcStore.keeping(pool, 1, SequenceTable.own(), DurabilityCheck.WARN, Duration.ofSeconds(10)));
        }
    }

    @Test
    void it_is_refused_on_the_connection_of_a_caller_who_draws() throws SQLException {
        Database database = Engine.MARIADB.freshDatabase();
        try (JdbcSequences sequences = JdbcSequences.open(database.url());
                Connection connection = DriverManager.getConnection(database.url() + "&transactionReplay=true")) {
            connection.setAutoCommit(false);
            GaplessSequence<Connection> gapless = sequences.gapless("s");
            refused(() -> gapless.next(connection));
            refused(() -> gapless.pooled().next(connection));
        }
    }

    @Test
    void a_driver_that_does_not_is_taken() {
        JdbcSequences.open(Engine.MARIADB
                        .freshDatabase()
                        .option("transactionReplay", "false")
                        .url())
                .close();
    }

    private static void refused(ThrowingCallable open) {
        assertThatThrownBy(open)
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("transactionReplay")
                .hasMessageContaining("remove that option")
                .hasMessageNotContaining("password");
    }
}
