// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException;
import dev.seriatim.memory.InMemoryStore;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreUrlTest {

    @Test
    void takes_a_url_apart() {
        StoreUrl url = StoreUrl.parse("sqlite:some/file.db?table=t&busy-timeout=2s");
        assertThat(url.scheme()).isEqualTo("sqlite");
        assertThat(url.place()).isEqualTo("some/file.db");
        assertThat(url.option("table")).contains("t");
        assertThat(url.duration("busy-timeout")).contains(Duration.ofSeconds(2));
    }

    @Test
    void shows_no_secret() {
        String shown = StoreUrl.redact("jdbc:x://joe:pw@host/db?password=s3cret&sslPassword=abc&user=joe&apiToken=t");
        assertThat(shown).doesNotContain("s3cret", "abc", "pw@", "=t").contains("host/db", "password=***");
    }

    @ParameterizedTest
    @CsvSource({
        "memory:, memory:",
        "memory:?latency=10ms&read-latency=1ms, memory:?latency=10ms&read-latency=1ms",
        "sqlite:/my files/s.db?table=t, sqlite:/my files/s.db?table=t",
        "couchbase://h/b?user=joe&password=hunter2&scope=s, couchbase://h/b?scope=s",
        "jdbc:h2:mem:x;DB_CLOSE_DELAY=-1;USER=joe;PASSWORD=hunter2;seriatim.table=t, jdbc:h2:mem:x;seriatim.table=t",
        "jdbc:mariadb://h:1/db?user=joe&password=hunter2&seriatim.table=t&seriatim.patience=5s&loginTimeout=9,"
                + " jdbc:mariadb://h:1/db?seriatim.table=t&seriatim.patience=5s",
        "jdbc:mariadb://joe:hunter2@h:1/db?seriatim.table=t, jdbc:mariadb://***@h:1/db?seriatim.table=t",
        "jdbc:postgresql://h/db?options=x%3Dhunter2&seriatim.table=t, jdbc:postgresql://h/db?seriatim.table=t",
        "jdbc:cloudspanner:/projects/p?credentials=hunter2;seriatim.table=t, jdbc:cloudspanner:/projects/p?seriatim.table=t",
        "jdbc:h2:mem:x;PASSWORD=a\\;hunter2=b, jdbc:h2:mem:x",
        "jdbc:h2:mem:x;INIT=CREATE USER U PASSWORD \"hunter2&b=hunter2\", jdbc:h2:mem:x",
        "jdbc:mariadb://h/db?sessionVariables=@k=hunter2, jdbc:mariadb://h/db",
    })
    void repeats_the_options_that_hold_no_secret(String url, String repeated) {
        assertThat(StoreUrl.withOptions(url)).isEqualTo(repeated);
    }

    @Test
    void opens_a_store_by_its_driver_and_names_the_known_ones_otherwise() {
        try (OpenStore store = StoreDriver.open("memory:?latency=3ms")) {
            assertThat(store).isInstanceOf(InMemoryStore.class).hasToString("memory with 3.0 ms per reservation");
        }
        assertThatThrownBy(() -> StoreDriver.open("foo:bar"))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContainingAll("foo:bar", "couchbase:, couchbases:, jdbc:, memory:, spanner:, sqlite:");
        assertThatThrownBy(() -> StoreDriver.open("memory:?latency=soon")).hasMessageContaining("soon");
        assertThatThrownBy(() -> StoreDriver.open("memory:?colour=red")).hasMessageContainingAll("colour", "latency");
        assertThatThrownBy(() -> StoreDriver.open("memory")).isInstanceOf(SequenceException.Misconfigured.class);
    }

    @ParameterizedTest
    @CsvSource({
        "spanner:projects/p/instances/i/databases/d, seriatim-spanner",
        "couchbase://host/bucket, seriatim-couchbase",
        "couchbases://host/bucket, seriatim-couchbase",
        "sqlite:seriatim.db, seriatim-jdbc",
        "jdbc:postgresql://host/db, seriatim-jdbc"
    })
    void names_the_artefact_to_add_where_a_module_is_missing(String url, String artefact) {
        assertThatThrownBy(() -> StoreDriver.open(url))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContainingAll(url, "add dev.seriatim:" + artefact + " to the class path")
                .hasMessageNotContaining("begin with");
    }

    @ParameterizedTest
    @CsvSource({
        "postgres://app:s3cret@host/db, write jdbc:postgresql://HOST:PORT/DATABASE?user=…&password=…",
        "'\"jdbc:postgresql://host/db?password=s3cret\"', remove the quotation marks",
        "postgresql://host/db?password=s3cret, write jdbc:postgresql://",
        "mariadb://host/db, write jdbc:mariadb://",
        "mysql://host/db, write jdbc:mariadb://",
        "h2:mem:x, write jdbc:h2:",
        "seriatim.db, write sqlite:FILE",
        "/data/s3cret.db, write sqlite:FILE",
        "SQLITE:x.db, write sqlite:FILE"
    })
    void says_how_to_write_what_is_no_url_of_a_store(String url, String remedy) {
        assertThatThrownBy(() -> StoreDriver.open(url))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining(remedy)
                .hasMessageNotContaining("=s3cret")
                .hasMessageNotContaining(":s3cret");
    }

    @Test
    void names_an_option_as_it_is_written_in_that_url() {
        StoreUrl file = StoreUrl.parse("sqlite:f?table=t&busy-timeout=soon");
        StoreUrl jdbc = new StoreUrl("jdbc:x:y", "jdbc", "jdbc:x:y", Map.of("patience", "soon"));
        assertThat(file.spelled("kind")).isEqualTo("kind");
        assertThat(jdbc.spelled("kind")).isEqualTo("seriatim.kind");
        assertThatThrownBy(() -> file.duration("busy-timeout"))
                .hasMessageContaining(": busy-timeout must be a duration");
        assertThatThrownBy(() -> jdbc.duration("patience"))
                .hasMessageContaining(": seriatim.patience must be a duration");
        assertThatThrownBy(() -> file.allowOnly(Set.of("kind")))
                .hasMessageContainingAll("'table'", "known options: kind");
        assertThatThrownBy(() -> jdbc.allowOnly(Set.of("kind", "table")))
                .hasMessageContainingAll(
                        "unknown option 'seriatim.patience'", "known options: seriatim.kind, seriatim.table");
    }
}
