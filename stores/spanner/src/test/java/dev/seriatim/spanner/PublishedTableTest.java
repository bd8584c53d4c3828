// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Struct;
import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.TransactionalSequence;
import dev.seriatim.testkit.Crowd;
import dev.seriatim.testkit.History;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The published table, shared with code that follows the article. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PublishedTableTest {

    private final String name = place().path("sequences");
    private final SequenceTable table = SequenceTable.nextValue(name, "name", "next_value");
    private final EmulatorDatabase database =
            EmulatorDatabase.at(place(), place().create(name, "name STRING(64) NOT NULL", "next_value INT64 NOT NULL"));

    /** Returns where the sequences are. */
    Place place() {
        return Place.GOOGLE;
    }

    @Test
    void is_adopted_as_it_is() {
        database.execute("INSERT INTO " + name + " (name, next_value) VALUES ('invoice_id', 1)");
        try (SpannerStore store = database.store("table=" + name, "kind=next")) {
            assertThat(store.reserve("invoice_id", 3).block()).isEqualTo(new Block(1, 3, 1));
            long inside = store.inTransaction(TransactionalSequence.of(store, "invoice_id")::next);
            assertThat(inside).isEqualTo(4);
            assertThat(store.list())
                    .extracting(state -> state.definition().name())
                    .containsExactly("invoice_id");
        }
        assertThat(database.numbers("SELECT next_value FROM " + name)).containsExactly(5L);
    }

    @Test
    void is_shared_with_code_that_reads_and_writes_the_cell() {
        try (SpannerStore store = SpannerStore.open(database.spanner(), database.id(), table)) {
            store.create(SequenceDefinition.of("invoice_id"));
            History history = new Crowd(4, 20)
                    .draw((thread, turn) -> thread % 2 == 0
                            ? store.reserve("invoice_id", 1).block()
                            : new Block(asTheArticleSays(), 1, 1));
            assertThat(history.duplicates()).isZero();
            assertThat(history.orderViolations(true)).isZero();
            assertThat(database.numbers("SELECT next_value FROM " + name)).containsExactly(81L);
        }
    }

    @Test
    void names_the_sequence_and_the_table_when_the_row_is_missing() {
        try (SpannerStore store = SpannerStore.open(database.spanner(), database.id(), table)) {
            assertThatThrownBy(() -> store.reserve("order_id", 1))
                    .isInstanceOf(SequenceException.NotFound.class)
                    .hasMessageContaining("'order_id'")
                    .hasMessageContaining("table " + name);
            assertThatThrownBy(() -> store.inTransaction(TransactionalSequence.of(store, "order_id")::next))
                    .isInstanceOf(SequenceException.NotFound.class)
                    .hasMessageContaining("table " + name);
        }
    }

    @Test
    void says_which_column_it_has_not() {
        try (SpannerStore store = database.store("table=" + name)) {
            assertThatThrownBy(() -> store.reserve("order_id", 1))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining("start_with")
                    .hasMessageContaining("columns");
        }
        assertThat(database.numbers("SELECT next_value FROM " + name)).isEqualTo(List.of());
    }

    private long asTheArticleSays() {
        Long drawn = database.client().readWriteTransaction().run(transaction -> {
            Struct row = transaction.readRow(name, Key.of("invoice_id"), List.of("next_value"));
            long next = row == null ? -1 : row.getLong(0);
            transaction.buffer(Mutation.newUpdateBuilder(name)
                    .set("name")
                    .to("invoice_id")
                    .set("next_value")
                    .to(next + 1)
                    .build());
            return next;
        });
        return drawn == null ? -1 : drawn;
    }
}
