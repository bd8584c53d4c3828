// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.ColumnScanner;
import dev.seriatim.store.NumberColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Named schemas: columns of their tables, and a schema that is missing. */
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

    @ParameterizedTest
    @EnumSource(names = {"GOOGLE_SCHEMA", "POSTGRES_SCHEMA"})
    void a_column_may_be_in_another_schema(Place place) {
        EmulatorDatabase database = EmulatorDatabase.at(place, place.create("acme.ticket", "id INT64 NOT NULL"));
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

    @ParameterizedTest
    @EnumSource(names = {"GOOGLE", "POSTGRES"})
    void a_missing_schema_is_named_with_a_remedy(Place place) throws Exception {
        EmulatorDatabase database = EmulatorDatabase.at(place);
        try (SpannerStore store = database.store("table=acme.seriatim_sequence")) {
            assertThatThrownBy(() -> store.reserve("a", 1))
                    .isInstanceOf(NotFound.class)
                    .hasMessageContaining("table acme.seriatim_sequence");
            assertThatThrownBy(() -> store.create(SequenceDefinition.of("a")))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("Schema not found: acme; create it (CREATE SCHEMA)")
                    .message()
                    .doesNotContain("\n");
            database.change("CREATE SCHEMA acme");
            store.create(SequenceDefinition.of("a"));
            assertThat(store.reserve("a", 1).block().first()).isEqualTo(1);
        }
        assertThat(database.numbers("SELECT next_value FROM acme.seriatim_sequence"))
                .containsExactly(2L);
    }

    private static void refused(SpannerStore store, ColumnName column, String... why) {
        assertThatThrownBy(() -> store.extreme(column, true))
                .isInstanceOf(Misconfigured.class)
                .message()
                .contains(why);
    }
}
