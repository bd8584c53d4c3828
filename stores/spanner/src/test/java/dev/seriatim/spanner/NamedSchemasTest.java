// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.ColumnScanner;
import dev.seriatim.store.NumberColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Columns of tables in a named schema. */
class NamedSchemasTest {

    private static final ColumnName ID = ColumnName.of("acme", "ticket", "id");

    /** Keeps the numbers. */
    private record Seen(List<Long> numbers) implements ColumnScanner.Visitor {

        @Override
        public void withoutNumber(long rows) {}

        @Override
        public void number(long number) {
            numbers.add(number);
        }

        @Override
        public void inTime(long number, Supplier<String> time) {}
    }

    @Test
    void a_column_may_be_in_another_schema() {
        EmulatorDatabase database = EmulatorDatabase.create(
                "CREATE SCHEMA acme", "CREATE TABLE acme.ticket (id INT64 NOT NULL) PRIMARY KEY (id)");
        try (SpannerStore store = database.store()) {
            database.execute("INSERT INTO acme.ticket (id) VALUES (7), (41)");
            store.create(SequenceDefinition.of("a"));
            assertThat(store.extreme(ID, true)).hasValue(41);
            NumberColumn column = new NumberColumn(ID, Optional.empty(), OptionalLong.empty());
            assertThat(store.scan("a", column, state -> new Seen(new ArrayList<>()))
                            .numbers())
                    .containsExactly(7L, 41L);
            refused(store, ColumnName.of("nosuch", "ticket", "id"), "no table 'nosuch.ticket'");
            refused(store, ColumnName.of("acme", "none", "id"), "no table 'acme.none'");
            refused(store, ID.beside("none"), "table 'acme.ticket'", "no column 'none'");
            refused(store, ColumnName.of("My Table", "id"), "'My Table' is not a plain identifier");
        }
    }

    private static void refused(SpannerStore store, ColumnName column, String... why) {
        assertThatThrownBy(() -> store.extreme(column, true))
                .isInstanceOf(Misconfigured.class)
                .message()
                .contains(why);
    }
}
