// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static dev.seriatim.cli.CommandLineRun.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The commands on the sequences that a database has of its own. */
class NativeSequencesTest {

    private static final String CAVEAT = "values can repeat after a server crash";

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void every_command_works(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        String store = database.option("seriatim.sequences", "native").url();
        assertThat(on(store, "create", "orders", "--increment-by", "10", "--cache", "1")
                        .succeeded())
                .contains("native sequences", CAVEAT);
        assertThat(on(store, "next", "orders", "-n", "3").succeeded()).isEqualTo("1\n11\n21\n");
        String next = engine == Engine.MARIADB ? "SELECT NEXT VALUE FOR orders" : "SELECT nextval('orders')";
        assertThat(database.number(next)).isEqualTo(31);
        assertThat(on(store, "next", "orders", "-n", "2", "--mode", "ASYNC").succeeded())
                .isEqualTo("41\n51\n");
        on(store, "alter", "orders", "--increment-by", "1", "--max-value", "5000")
                .succeeded();
        on(store, "raise", "orders", "--to", "100").succeeded();
        assertThat(on(store, "next", "orders").succeeded()).isEqualTo("100\n");
        assertThat(on(store, "list").succeeded()).contains("orders", "5000");
        database.execute("CREATE TABLE invoices (id BIGINT NOT NULL)", "INSERT INTO invoices VALUES (4711)");
        assertThat(on(store, "sync", "orders", "--column", "invoices.id").succeeded())
                .contains("4712");
        on(store, "restart", "orders", "--with", "7").noted("'orders'");
        assertThat(on(store, "show", "orders", "--format", "json").succeeded()).contains("7");
        on(store, "drop", "orders").succeeded();
        on(store, "next", "orders").failedWith("orders", "not found", "create it first");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_sequence_made_in_passing_takes_the_cache_of_the_engine(Engine engine) {
        String store =
                engine.freshDatabase().option("seriatim.sequences", "native").url();
        assertThat(on(store, "next", "orders", "--create").succeeded()).isEqualTo("1\n");
        assertThat(on(store, "next", "orders", "-n", "2").succeeded()).isEqualTo("2\n3\n");
        assertThat(on(store, "show", "orders").succeeded())
                .containsPattern("cache +" + (engine == Engine.MARIADB ? "1000" : "1") + "\n");
    }

    @Test
    void an_unsupported_mode_is_reported_with_the_reason() {
        Database database = Engine.POSTGRESQL.freshDatabase();
        String store = database.option("seriatim.sequences", "native").url();
        on(store, "create", "orders").succeeded();
        on(store, "next", "orders", "--mode", "SYNC")
                .failedWith("does not offer --mode SYNC", "its counters are not part of one");
        on(store, "next", "orders", "--mode", "GROUPED")
                .failedWith("does not offer --mode GROUPED", "its counters are not part of one");
        on(store, "next", "orders", "--mode", "CONFIRMED")
                .failedWith(
                        "'orders'",
                        "CONFIRMED is not possible",
                        "its reads do not show every earlier reservation",
                        "use COMBINED");
        on(store, "install").failedWith("needs nothing installed");
        on(store, "create", "order id").failedWith("'order id' is not a plain identifier");
        on(
                        database.option("seriatim.sequences", "native")
                                .option("seriatim.table", "numbers")
                                .url(),
                        "list")
                .failedWith("seriatim.table", "remove it, or remove seriatim.sequences");
    }
}
