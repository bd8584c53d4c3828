// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.h2.H2Dialect;
import dev.seriatim.jdbc.mysql.MariaDbDialect;
import dev.seriatim.jdbc.mysql.MySqlDialect;
import dev.seriatim.jdbc.postgres.DsqlDialect;
import dev.seriatim.jdbc.postgres.PostgresDialect;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sqlite.SqliteDialect;
import dev.seriatim.servers.Engine;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** POOLED is refused where claims would block each other, with the reason and an alternative. */
class PoolRefusedTest {

    @ParameterizedTest
    @CsvSource({"SQLITE, one transaction at a time", "H2, PostgreSQL", "GALERA, only its own locks"})
    void when_a_sequence_is_opened(Engine engine, String reason) {
        try (JdbcStore store = JdbcStore.open(engine.freshDatabase().dataSource());
                StoreSequences sequences = StoreSequences.of(store)) {
            store.create(SequenceDefinition.of("s"));
            assertThatThrownBy(() -> sequences.pooled("s", store))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageStartingWith("sequence 's': ")
                    .hasMessageContaining("does not support POOLED")
                    .hasMessageContaining(reason)
                    .hasMessageEndingWith("use GROUPED, or SYNC with short transactions");
            assertThat(store.poolState("s")).isEmpty();
        }
    }

    @Test
    void on_what_is_known_by_its_version_alone() {
        List<Dialect> without = List.of(
                new MariaDbDialect(false, false, true, true),
                new MariaDbDialect(true, true, true, true),
                new DsqlDialect(),
                new SqliteDialect(),
                new H2Dialect());
        assertThat(without).allSatisfy(dialect -> {
            assertThat(dialect.poolClaim("pool")).isEmpty();
            assertThat(dialect.whyNoPool()).isNotBlank();
        });
        assertThat(List.<Dialect>of(
                        new MariaDbDialect(false, true, true, true), new MySqlDialect(), new PostgresDialect(false)))
                .allSatisfy(dialect -> assertThat(dialect.poolClaim("pool")).isPresent());
    }
}
