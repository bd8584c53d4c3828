// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.seriatim.cli.CommandLineRun;
import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which findings count. */
class ChosenFindingsTest {

    private static final String ALONE = "CREATE TABLE %1$s (id bigint PRIMARY KEY DEFAULT nextval('%1$s_numbers'))";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit's to set
    private Path folder;

    /** Two warnings, and an error. */
    private static Database planted() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute(
                "CREATE SCHEMA shop",
                "CREATE SEQUENCE one_numbers",
                "CREATE SEQUENCE two_numbers",
                ALONE.formatted("one"),
                ALONE.formatted("two"),
                "CREATE TABLE shop.late (id serial PRIMARY KEY)",
                "INSERT INTO shop.late VALUES (1)");
        return database;
    }

    private String file(String... lines) throws Exception {
        return Files.writeString(folder.resolve("accepted"), String.join("\n", lines))
                .toString();
    }

    @Test
    void what_is_accepted_with_a_reason_does_not_count_and_is_not_mended() throws Exception {
        Database database = planted();
        String all = file(
                "# since 2019",
                "",
                "unowned public.one.id  # shared by two services",
                "unowned public.two.id # so is this",
                "behind shop.late.id  # filled by hand");
        Examination accepted = Examination.of(database.url(), "--accept", all, "--mend");
        assertThat(accepted.run().err()).isEmpty();
        assertThat(accepted.run().code()).isEqualTo(ExitCode.DONE);
        assertThat(accepted.findings()).isEmpty();
        assertThat(accepted.mended()).isEmpty();
        JsonObject first = accepted.json().getAsJsonArray("accepted").get(0).getAsJsonObject();
        assertThat(Examination.shown(first)).isEqualTo("behind shop.late.id");
        assertThat(first.get("reason").getAsString()).isEqualTo("filled by hand");
        assertThat(Examination.doctor(database.url(), "--accept", all).out())
                .endsWith("\nno fault found; 3 accepted\n");
        CommandLineRun some = Examination.doctor(
                database.url(), "--accept", file("unowned public.one.id  # shared", "behind public.gone.id  # was"));
        assertThat(some.code()).isEqualTo(ExitCode.WRONG_NUMBERS);
        assertThat(some.out())
                .endsWith("\n1 error, 1 warning; 1 accepted\n")
                .contains("\n  --accept\n    no finding is 'behind public.gone.id': correct or remove the line\n")
                .doesNotContain("public.one.id  [unowned]");
    }

    @Test
    void a_line_without_a_reason_is_refused() throws Exception {
        String file = file("# reasons", "unowned public.one.id  #");
        Examination.doctor("sqlite:none", "--accept", file)
                .failedWith("--accept: " + file + ":2 has no reason; write CODE SUBJECT  # REASON");
        Examination.doctor("sqlite:none", "--accept", file + "-none")
                .failedWith("-none': there is no such file; name a file of text");
        Examination.doctor("sqlite:none", "--accept", file("behind  # all")).failedWith(":1 has no reason");
    }

    @Test
    void an_accepted_line_may_have_the_mark_and_the_line_ends_of_windows() throws Exception {
        Database database = Engine.SQLITE.freshDatabase();
        database.execute("CREATE TABLE numbered (id INTEGER PRIMARY KEY AUTOINCREMENT)");
        String file = file("\ufeffbehind numbered.id  # why\r", "  # gr\u00fcn\r", "behind other.id # why\r");
        assertThat(Examination.doctor(database.url(), "--accept", file).succeeded())
                .contains("no finding is 'behind numbered.id'", "no finding is 'behind other.id'");
        Files.write(Path.of(file), "behind other.id # gr\u00fcn".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(Examination.doctor(database.url(), "--accept", file).succeeded())
                .contains("no finding is 'behind other.id'");
    }

    @Test
    void a_part_is_chosen_by_code_schema_or_level() throws Exception {
        Database database = planted();
        assertThat(Examination.of(database.url(), "--only", "behind,cycles").findings())
                .containsExactly("behind shop.late.id");
        Examination unowned = Examination.of(database.url(), "--only", "unowned", "--fail-on", "error");
        assertThat(unowned.findings()).containsExactly("unowned public.one.id", "unowned public.two.id");
        assertThat(unowned.run().code()).isEqualTo(ExitCode.DONE);
        assertThat(unowned.run().err()).isEmpty();
        Examination shop = Examination.of(database.url(), "--schema", "shop", "--fail-on", "error");
        assertThat(shop.findings()).containsExactly("behind shop.late.id");
        assertThat(shop.run().code()).isEqualTo(ExitCode.WRONG_NUMBERS);
        Examination.doctor(database.url(), "--schema", "shop,shpo")
                .refusedWith("--schema: nothing in 'shpo' generates ", "; correct it");
        CommandLineRun.on(database.url(), "create", "own").succeeded();
        Examination.doctor(database.url(), "--schema", "").refusedWith("--schema: nothing in '' generates ");
        Examination.doctor(database.url(), "--only", "behnid").refusedWith("'behnid'", "behind", "running-out");
        Examination.doctor(database.url(), "--fail-on", "warnings")
                .refusedWith("--fail-on is one of ERROR, WARNING, not 'warnings'");
        Examination.doctor(database.url(), "--fail-on", "note").refusedWith("is one of ERROR, WARNING, not 'note'");
    }

    @Test
    void a_finding_names_its_parts_in_json() throws Exception {
        Database database = planted();
        database.execute("CREATE SEQUENCE shop.few MAXVALUE 10 START 10");
        assertThat(Examination.of(database.url(), "--schema", "shop")
                        .json()
                        .getAsJsonArray("findings")
                        .toString())
                .contains("\"schema\":\"shop\",\"table\":\"late\",\"column\":\"id\",\"sequence\":\"late_id_seq\","
                        + "\"held\":\"1\",\"next\":\"1\",\"what\":\"holds 1 already")
                .contains("\"mend\":\"DO $seriatim$")
                .contains("\"schema\":\"shop\",\"table\":null,\"column\":null,\"sequence\":\"few\",\"held\":null,"
                        + "\"next\":\"10\",\"what\":\"90 % of its numbers")
                .contains("\"mend\":null");
    }
}
