// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceTable;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a migration script makes is what {@code create} makes, however often it runs. */
class MigrationScriptTest {

    private static final List<SequenceDefinition> WANTED = List.of(
            SequenceDefinition.of("order_id"),
            SequenceDefinition.named("Größe; it's -- @1 /* \"x\"")
                    .startWith(-5)
                    .incrementBy(-2)
                    .minValue(Long.MIN_VALUE)
                    .maxValue(Long.MAX_VALUE)
                    .cycle(true)
                    .cache(7)
                    .build(),
            SequenceDefinition.named("max")
                    .startWith(Long.MAX_VALUE - 10)
                    .maxValue(Long.MAX_VALUE - 10)
                    .build());

    @ParameterizedTest
    @EnumSource(
            value = Engine.class,
            names = {"SQLITE", "H2", "POSTGRESQL", "MARIADB", "MYSQL"})
    void a_script_that_runs_twice_makes_what_create_makes(Engine engine) throws SQLException {
        Database scripted = engine.freshDatabase();
        Database created = engine.freshDatabase();
        try (JdbcStore store = JdbcStore.open(scripted.dataSource());
                JdbcStore other = JdbcStore.open(created.dataSource())) {
            String script = store.migration(WANTED);
            run(scripted, script);
            WANTED.forEach(other::create);
            List<SequenceState> states = store.list();
            assertThat(states)
                    .usingRecursiveFieldByFieldElementComparatorIgnoringFields("epoch")
                    .isEqualTo(other.list());
            for (int i = 0; i < states.size(); i++) {
                assertThat(states.get(i).epoch()).isCloseTo(other.list().get(i).epoch(), Offset.offset(60_000L));
            }
            assertThat(store.reserve("order_id", 3).block().last()).isEqualTo(3);
            List<SequenceState> drawn = store.list();
            run(scripted, script);
            assertThat(store.list()).isEqualTo(drawn);
            // A sequence that was dropped begins again, in a later epoch.
            store.drop("order_id");
            run(scripted, script);
            assertThat(store.reserve("order_id", 1).block().first()).isEqualTo(1);
            assertThat(store.describe("order_id").epoch())
                    .isGreaterThanOrEqualTo(states.get(states.size() - 1).epoch());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Engine.class,
            names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void the_tables_suffice_for_every_mode(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            run(database, store.migration(List.of()));
            assertThat(store.list()).isEmpty();
            run(database, store.migration(List.of(SequenceDefinition.of("invoice_id"))));
            assertThat(database.number("SELECT COUNT(*) FROM seriatim_sequence_pool"))
                    .isZero();
            try (StoreSequences sequences = StoreSequences.builder(store).build();
                    var connection = database.connect()) {
                connection.setAutoCommit(false);
                var invoices = sequences.gapless("invoice_id", store);
                assertThat(invoices.next(connection)).isEqualTo(1);
                connection.commit();
                assertThat(invoices.pooled().next(connection)).isEqualTo(2);
                connection.commit();
            }
        }
    }

    @Test
    void psql_runs_it() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            String script = store.migration(WANTED);
            assertThat(SqlClient.psql(database).run(script + "BEGIN;\n" + script + "COMMIT;\n"))
                    .isEmpty();
            assertThat(store.list()).hasSameSizeAs(WANTED);
        }
    }

    @Test
    void mariadb_runs_it() throws Exception {
        Database database = Engine.MARIADB.freshDatabase();
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            String script = store.migration(WANTED);
            assertThat(SqlClient.mariaDb(database).run(script + script)).isEmpty();
            assertThat(store.list()).hasSameSizeAs(WANTED);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Engine.class,
            names = {"POSTGRESQL", "MARIADB"})
    void a_plain_table_gets_its_rows(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        SequenceTable table = SequenceTable.lastValue("numbers", "name", "last_number");
        try (JdbcStore store = JdbcStore.open(database.dataSource(), table)) {
            String script = store.migration(List.of(SequenceDefinition.of("order_id")));
            run(database, script);
            run(database, script);
            assertThat(database.number("SELECT COUNT(*) FROM numbers")).isEqualTo(1);
            assertThat(store.reserve("order_id", 1).block().first()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"two\nlines", "back\\slash", "flyway ${placeholder}"})
    void a_name_that_scripts_would_change_is_refused(String name) {
        try (JdbcStore store = JdbcStore.open(Engine.H2.freshDatabase().dataSource())) {
            List<SequenceDefinition> wanted = List.of(SequenceDefinition.of(name));
            assertThatThrownBy(() -> store.migration(wanted))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("create it directly");
        }
    }

    /** As a driver runs it: without the advice at its end, each statement on its own. */
    private static void run(Database database, String script) throws SQLException {
        int advice = Math.max(script.indexOf("\n/*\nThe least"), script.indexOf("\n-- SQLite"));
        database.execute(Stream.of(script.substring(0, advice).split(";\n", -1))
                .filter(each -> !each.isBlank())
                .toArray(String[]::new));
    }
}
