// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Exhausted;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A counter in a column of any type deals each number once, up to the end of the column, or is refused when it is opened. */
class NarrowColumnTest {

    private static String url(Database database, String kind, long highest) {
        String url = database.option("seriatim.table", "t")
                .option("seriatim.kind", kind)
                .option("seriatim.name-column", "seq_name")
                .option("seriatim.value-column", "last_val")
                .option("seriatim.max-value", Long.toString(highest))
                .url();
        // Without strict mode, in which the server does not clip numbers.
        return url.startsWith("jdbc:mariadb:") ? url + "&sessionVariables=sql_mode=''" : url;
    }

    private static void counter(Database database, String t, long value) throws SQLException {
        database.execute("DELETE FROM " + t, "INSERT INTO " + t + " VALUES ('a', " + value + ")");
    }

    /** The last number that a column of each type holds; none of one that is refused. */
    private static final Map<Engine, String> TYPES = Map.of(
            Engine.MARIADB, """
            TINYINT | 127
            TINYINT UNSIGNED | 255
            SMALLINT | 32767
            SMALLINT UNSIGNED | 65535
            MEDIUMINT | 8388607
            MEDIUMINT UNSIGNED | 16777215
            INT | 2147483647
            INT UNSIGNED ZEROFILL | 4294967295
            BIGINT | 9223372036854775807
            BIGINT UNSIGNED | 9223372036854775807
            DECIMAL(5,0) | 99999
            DECIMAL(7,2) UNSIGNED | 99999
            DECIMAL(30,0) | 9223372036854775807
            FLOAT | none
            DOUBLE | none
            VARCHAR(30) | none""",
            Engine.POSTGRESQL, """
            smallint | 32767
            integer | 2147483647
            bigint | 9223372036854775807
            numeric | 9223372036854775807
            numeric(5,0) | 99999
            numeric(7,2) | 99999
            real | none
            double precision | none
            varchar(30) | none""",
            Engine.H2, """
            TINYINT | 127
            SMALLINT | 32767
            INTEGER | 2147483647
            BIGINT | 9223372036854775807
            NUMERIC(5,0) | 99999
            DECFLOAT(5) | 99999
            REAL | none
            DOUBLE PRECISION | none
            VARCHAR(30) | none""",
            Engine.SQLITE, """
            TINYINT | 9223372036854775807
            INTEGER | 9223372036854775807
            DECIMAL(5,0) | 9223372036854775807
            REAL | none
            TEXT | none""");

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "POSTGRESQL", "H2", "SQLITE"})
    void each_type_is_drawn_to_its_end_or_refused(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        // H2 writes names without quotes in upper case, and the library quotes them.
        String q = engine == Engine.H2 ? "\"" : "";
        for (String line : Objects.requireNonNull(TYPES.get(engine)).split("\n", -1)) {
            String[] type = line.split(" \\| ", -1);
            database.execute(
                    "DROP TABLE IF EXISTS " + q + "t" + q,
                    ("CREATE TABLE %1$st%1$s (%1$sseq_name%1$s VARCHAR(20) PRIMARY KEY, %1$slast_val%1$s " + type[0]
                                    + " NOT NULL)")
                            .formatted(q));
            String t = q + "t" + q;
            counter(database, t, 41);
            if (type[1].equals("none")) {
                isRefused(type[0], url(database, "last", 1000));
            } else {
                isDrawnTo(Long.parseLong(type[1]), type[0], database, t);
            }
        }
    }

    private static void isDrawnTo(long highest, String type, Database database, String t) throws SQLException {
        if (highest < Long.MAX_VALUE) {
            isRefused(type, url(database, "last", Long.MAX_VALUE));
            isRefused(type, url(database, "next", highest));
        }
        counter(database, t, highest - 4);
        ends(type, url(database, "last", highest), highest - 3, highest);
        counter(database, t, highest - 4);
        ends(type, url(database, "next", highest - 1), highest - 4, highest - 1);
    }

    private static void isRefused(String type, String url) {
        try (JdbcSequences sequences = JdbcSequences.open(url)) {
            Stream.<LongSupplier>of(
                            () -> sequences.unique("a").next(),
                            () -> sequences.store().reserve("a", 1).block().first(),
                            () -> sequences.inTransaction(sequences.gapless("a")::next))
                    .forEach(draw -> assertThatThrownBy(draw::getAsLong)
                            .as(type)
                            .isInstanceOf(Misconfigured.class)
                            .hasMessageContaining("last_val of table t")
                            .hasMessageNotContaining("\n"));
        }
    }

    private static void ends(String type, String url, long first, long last) {
        try (JdbcSequences sequences = JdbcSequences.open(url)) {
            LongSupplier[] draws = {
                () -> sequences.store().reserve("a", 1).block().first(),
                () -> sequences.inTransaction(sequences.gapless("a")::next)
            };
            for (int i = 0; i <= last - first; i++) {
                assertThat(draws[i % draws.length].getAsLong()).as(type).isEqualTo(first + i);
            }
            for (LongSupplier draw : draws) {
                assertThatThrownBy(draw::getAsLong).as(type).isInstanceOf(Exhausted.class);
            }
        }
    }
}
