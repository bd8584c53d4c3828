// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.StoreUrl;
import org.junit.jupiter.api.Test;

class JdbcUrlTest {

    @Test
    void our_options_are_taken_out_wherever_they_stand() {
        assertThat(JdbcUrl.parse("jdbc:x://h/db?seriatim.table=t&a=b&seriatim.kind=last&c=d;e")
                        .driverUrl())
                .isEqualTo("jdbc:x://h/db?a=b&c=d;e");
        assertThat(JdbcUrl.parse("jdbc:x://h/db?a=b&seriatim.table=t").driverUrl())
                .isEqualTo("jdbc:x://h/db?a=b");
        assertThat(JdbcUrl.parse("jdbc:x://h/db?seriatim.table=t").driverUrl()).isEqualTo("jdbc:x://h/db");
        assertThat(JdbcUrl.parse("jdbc:x://h/db").driverUrl()).isEqualTo("jdbc:x://h/db");
        assertThat(JdbcUrl.parse("jdbc:h2:file:/x;seriatim.table=t;A=B").driverUrl())
                .isEqualTo("jdbc:h2:file:/x;A=B");
    }

    @Test
    void spanners_driver_has_semicolons_behind_a_question_mark() {
        String place = "jdbc:cloudspanner://h:1/projects/p/instances/i/databases/d";
        assertThat(JdbcUrl.parse(place + "?a=b;seriatim.table=t;c=d").driverUrl())
                .isEqualTo(place + "?a=b;c=d");
        JdbcUrl ours = JdbcUrl.parse(place + "?seriatim.table=t;a=b;seriatim.patience=3s");
        assertThat(ours.driverUrl()).isEqualTo(place + "?a=b");
        assertThat(ours.options().option("table")).contains("t");
        assertThat(ours.patience()).hasSeconds(3);
        assertThat(JdbcUrl.parse(place + ";seriatim.table=t;a=b?c").driverUrl()).isEqualTo(place + ";a=b?c");
        assertThat(JdbcUrl.parse(place + "?credentials=/key.json;a=b").options().redacted())
                .isEqualTo(place);
        assertThat(JdbcUrl.parse(place).driverUrl()).isEqualTo(place);
    }

    @Test
    void they_are_kept_without_their_prefix() {
        StoreUrl options = JdbcUrl.parse("jdbc:x://h/db?a=b&seriatim.table=t&seriatim.patience=3s")
                .options();
        assertThat(options.option("table")).contains("t");
        assertThat(options.duration("patience"))
                .hasValueSatisfying(p -> assertThat(p).hasSeconds(3));
        assertThat(options.option("a")).isEmpty();
    }

    @Test
    void one_that_nobody_reads_is_refused() {
        assertThatThrownBy(() -> JdbcUrl.parse("jdbc:x://h/db?seriatim.tabel=t&password=secret"))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("tabel")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() ->
                        JdbcUrl.parse("jdbc:x://h/db?seriatim.pool-size=0").poolSize())
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("pool-size");
    }

    @Test
    void what_people_see_has_no_options_and_no_secrets() {
        assertThat(JdbcUrl.parse("jdbc:x://me:secret@h:1/db?password=secret").database())
                .isEqualTo("jdbc:x://***@h:1/db");
        assertThat(JdbcUrl.parse("jdbc:oracle:thin:scott/tiger@h:1:x").database())
                .isEqualTo("jdbc:oracle:thin:***@h:1:x");
    }
}
