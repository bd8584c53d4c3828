// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.SequenceTable.Kind;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table and its contents, as a store's URL or a program defines them. */
class SequenceTableTest {

    private static SequenceTable of(String options) {
        return new TableOptions(StoreUrl.parse("any://place" + options)).table();
    }

    private static void refused(ThrowingCallable call, String... words) {
        assertThatThrownBy(call).isInstanceOf(Misconfigured.class).hasMessageContainingAll(words);
    }

    @Test
    void is_our_own_unless_it_is_told_otherwise() {
        assertThat(of("")).isEqualTo(SequenceTable.own());
        assertThat(of("?table=t")).isEqualTo(SequenceTable.own("t"));
        assertThat(SequenceTable.own().table()).isEqualTo("seriatim_sequence");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"name-column", "value-column", "start-with", "increment-by", "min-value", "max-value", "cache"})
    void of_our_own_takes_nothing_that_its_rows_say(String option) {
        refused(() -> of("?" + option + "=1"), "option '" + option + "' is for a plain table");
    }

    @Test
    void of_the_value_drawn_next_leaves_room_for_the_state_behind_its_end() {
        assertThat(of("?kind=next&table=t")).isEqualTo(SequenceTable.nextValue("t", "name", "next_value"));
        SequenceDefinition down = of("?kind=next&table=t&increment-by=-5").template();
        assertThat(down.min()).isEqualTo(Long.MIN_VALUE + 5);
        assertThat(down.max()).isEqualTo(-1);
        assertThat(down.start()).isEqualTo(-1);
    }

    @Test
    void of_the_value_drawn_last_goes_to_the_end() {
        assertThat(of("?kind=last&table=t")).isEqualTo(SequenceTable.lastValue("t", "seq_name", "last_val"));
        SequenceDefinition down = of("?kind=last&table=t&increment-by=-5").template();
        assertThat(down.min()).isEqualTo(Long.MIN_VALUE);
        assertThat(down.max()).isEqualTo(-1);
    }

    @Test
    void is_what_its_options_say() {
        SequenceTable table = of("?kind=last&table=t&name-column=n&value-column=v&start-with=7&increment-by=3"
                + "&min-value=5&max-value=50&cache=9");
        assertThat(table)
                .isEqualTo(new SequenceTable(
                        "t", "n", "v", Kind.LAST_VALUE, new SequenceDefinition("any", 7, 3, 5, 50, false, 9)));
    }

    @Test
    void is_refused_with_options_that_are_wrong() {
        refused(() -> of("?kind=first"), "kind must be next", "not 'first'");
        refused(() -> of("?kind=next"), "kind needs a plain table");
        refused(() -> of("?kind=next&table=t&cache=many"), "cache must be a 64-bit integer, not 'many'");
    }

    @Test
    void names_its_options_as_they_are_written_in_that_url() {
        refused(() -> ofJdbc(Map.of("start-with", "1")), "'seriatim.start-with'", "seriatim.kind=last");
        refused(() -> ofJdbc(Map.of("kind", "first")), "seriatim.kind must be next", "not 'first'");
        refused(() -> ofJdbc(Map.of("kind", "next")), "seriatim.kind needs", "seriatim.table=NAME");
        refused(() -> ofJdbc(Map.of("kind", "next", "table", "t", "cache", "x")), "seriatim.cache must be a 64-bit");
        refused(() -> of("?start-with=1"), "add kind=last if its counter is the last value drawn");
    }

    private static SequenceTable ofJdbc(Map<String, String> options) {
        return new TableOptions(new StoreUrl("jdbc:x:y", "jdbc", "jdbc:x:y", options)).table();
    }

    @Test
    void has_plain_identifiers() {
        for (String identifier : new String[] {"t", "_", "A9_z", "x".repeat(63)}) {
            assertThat(SequenceTable.isIdentifier(identifier)).isTrue();
            assertThat(SequenceTable.identifier("table", identifier)).isEqualTo(identifier);
        }
        for (String other : new String[] {"", "9a", "a-b", "a b", "a\"", "ä", "x".repeat(64)}) {
            assertThat(SequenceTable.isIdentifier(other)).isFalse();
        }
        refused(() -> SequenceTable.own("a b"), "the table 'a b' is not a plain identifier");
        refused(() -> SequenceTable.nextValue("t", "a b", "v"), "the name column 'a b'");
        refused(() -> SequenceTable.nextValue("t", "n", "a b"), "the value column 'a b'");
        refused(() -> SequenceTable.nextValue("t", "n", "N"), "two columns, not both 'n'");
    }

    @Test
    void of_our_own_has_our_columns() {
        SequenceDefinition any = SequenceDefinition.of("any");
        refused(() -> new SequenceTable("t", "n", "next_value", Kind.OWN, any), "not n and next_value");
        refused(() -> new SequenceTable("t", "name", "v", Kind.OWN, any), "not name and v", "SequenceTable.lastValue");
    }

    @Test
    void has_no_cycle_and_a_number_for_each_state_of_its_counter() {
        SequenceTable next = SequenceTable.nextValue("t", "n", "v");
        SequenceTable last = SequenceTable.lastValue("t", "n", "v");
        refused(() -> next.with(any -> any.cycle(true)), "the rounds of a cycle");
        assertThat(next.with(any -> any.maxValue(Long.MAX_VALUE - 1)).template().max())
                .isEqualTo(Long.MAX_VALUE - 1);
        refused(() -> next.with(any -> any.maxValue(Long.MAX_VALUE)), "one step of 1 beyond " + Long.MAX_VALUE);
        refused(
                () -> next.with(any -> any.incrementBy(-1).minValue(Long.MIN_VALUE)),
                "one step of -1 beyond " + Long.MIN_VALUE);
        assertThat(last.with(any -> any.minValue(Long.MIN_VALUE + 1)).template().min())
                .isEqualTo(Long.MIN_VALUE + 1);
        refused(() -> last.with(any -> any.minValue(Long.MIN_VALUE)), "one step of 1 beyond " + Long.MIN_VALUE);
        refused(
                () -> last.with(any -> any.incrementBy(-1).maxValue(Long.MAX_VALUE)),
                "one step of -1 beyond " + Long.MAX_VALUE);
    }

    @Test
    void keeps_the_role_that_may_own_it_when_its_definition_changes() {
        SequenceTable plain = SequenceTable.nextValue("t", "n", "v");
        assertThat(plain.owner()).isEmpty();
        assertThat(plain.ownedBy("app").with(any -> any.cache(7)).owner()).contains("app");
    }
}
