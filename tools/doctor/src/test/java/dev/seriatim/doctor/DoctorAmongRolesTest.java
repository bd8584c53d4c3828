// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** The command in a database in which other roles own tables, sequences and code. */
class DoctorAmongRolesTest {

    private static Database eve(Database database) throws SQLException {
        String eve = "eve_" + database.name();
        database.execute(
                "CREATE ROLE " + eve + " LOGIN PASSWORD 'p'",
                "CREATE SCHEMA AUTHORIZATION " + eve,
                "GRANT USAGE ON SCHEMA " + eve + " TO PUBLIC");
        return database.as(eve, "p");
    }

    @Test
    void a_table_whose_index_runs_code_of_another_role_is_not_read_and_named() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        Database eve = eve(database);
        eve.execute(
                "CREATE TYPE mood AS ENUM ('sad', 'glad')",
                "CREATE FUNCTION evil(int) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN IF current_user <> '"
                        + eve.user() + "' THEN RAISE 'evil ran as %', current_user; END IF; RETURN true; END $$",
                "CREATE TABLE trap (id serial PRIMARY KEY)",
                "CREATE INDEX ON trap (id) WHERE evil(1)",
                "INSERT INTO trap VALUES (70)",
                "CREATE TABLE plain (id serial PRIMARY KEY, m mood, n text)",
                "CREATE INDEX ON plain (lower(n)) WHERE m IN ('sad', 'glad')",
                "INSERT INTO plain VALUES (70)");
        Examination found = Examination.of(database.url());
        assertThat(found.skipped())
                .containsExactly(eve.user()
                        + ".trap.id: an index, a constraint, statistics or the partition key of it run code of role "
                        + eve.user() + ", with this user's rights; examine it as " + eve.user());
        assertThat(found.findings()).containsExactly("behind " + eve.user() + ".plain.id");
        assertThat(Examination.of(eve.url()).findings())
                .containsExactlyInAnyOrder("behind " + eve.user() + ".plain.id", "behind " + eve.user() + ".trap.id");
    }

    @Test
    void code_of_a_superuser_and_of_the_owner_of_the_database_is_no_reason_to_leave_a_table_out() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        Database owner = eve(database);
        database.execute(
                "ALTER DATABASE " + database.name() + " OWNER TO " + owner.user(),
                "CREATE FUNCTION public.of_superuser(int) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT true'");
        owner.execute(
                "CREATE FUNCTION of_owner(int) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT true'",
                "CREATE TABLE fine (id serial PRIMARY KEY)",
                "CREATE INDEX ON fine (id) WHERE of_owner(id) AND public.of_superuser(id)",
                "INSERT INTO fine VALUES (70)");
        Examination found = Examination.of(database.url());
        assertThat(found.skipped()).isEmpty();
        assertThat(found.findings()).containsExactly("behind " + owner.user() + ".fine.id");
    }

    @Test
    void a_sequence_is_not_raised_for_the_table_of_another_role() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        Database eve = eve(database);
        database.execute("CREATE TABLE victim (id serial PRIMARY KEY)", "CREATE TABLE own (id serial PRIMARY KEY)");
        database.execute("INSERT INTO own VALUES (5)");
        eve.execute(
                "CREATE TABLE burn (id int PRIMARY KEY DEFAULT nextval('public.victim_id_seq'))",
                "INSERT INTO burn VALUES (1), (1700000000)");
        assertThat(Examination.doctor(database.url(), "--mend", "--dry-run").out())
                .contains("\"own_id_seq\"")
                .doesNotContainPattern("(?m)^DO .*victim");
        Examination mended = Examination.of(database.url(), "--mend");
        assertThat(mended.mended()).containsExactly("behind public.own.id");
        assertThat(database.number("SELECT last_value FROM victim_id_seq")).isEqualTo(1);
        JsonObject shown = mended.remediedBy("changes").get(0);
        assertThat(Examination.shown(shown)).isEqualTo("behind " + eve.user() + ".burn.id");
        assertThat(shown.get("what").getAsString()).contains("the sequence and the table have different owners");
        assertThat(Examination.remedy(shown)).contains("\"victim_id_seq\" RESTART WITH 1700000001");
    }

    @Test
    void a_sequence_of_another_database_of_mariadb_is_not_raised() throws SQLException {
        Database database = Engine.MARIADB.freshDatabase();
        String other = database.name() + "_other";
        database.execute("CREATE DATABASE " + other);
        try {
            database.execute(
                    "CREATE SEQUENCE " + other + ".victim NOCACHE",
                    "CREATE TABLE burn (id bigint PRIMARY KEY DEFAULT nextval(" + other + ".victim))",
                    "INSERT INTO burn VALUES (1), (1700000000)");
            Examination mended = Examination.of(database.url(), "--mend");
            assertThat(mended.mended()).isEmpty();
            assertThat(mended.remediedBy("changes")).hasSize(1);
            assertThat(database.number("SELECT next_not_cached_value FROM " + other + ".victim"))
                    .isEqualTo(1);
        } finally {
            database.execute("DROP TABLE burn", "DROP DATABASE " + other);
        }
    }
}
