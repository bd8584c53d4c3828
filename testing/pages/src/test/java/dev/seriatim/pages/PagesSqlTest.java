// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.pages.Fence;
import dev.seriatim.store.SchemaInstaller;
import dev.seriatim.store.StoreDriver;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs the SQL of the pages, twice, and compares each answer with the comment behind the statement. */
class PagesSqlTest {

    private static final Pattern STATEMENT = Pattern.compile("^(SELECT .*);\\s+-- (\\d+)", Pattern.MULTILINE);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void every_statement_answers_what_its_comment_says(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        if (engine == Engine.MYSQL) { // its binary log is on by default
            database.execute("SET GLOBAL log_bin_trust_function_creators = 1");
        }
        try (var store = StoreDriver.open(database.url())) {
            ((SchemaInstaller) store).install();
        }
        List<Fence> fences = new ArrayList<>(Fence.of("sql"));
        fences.addAll(engine == Engine.POSTGRESQL ? Fence.of("sql postgresql") : Fence.of("sql mysql"));
        for (int time = 0; time < 2; time++) {
            for (Fence fence : fences) {
                answers(database, fence);
            }
        }
    }

    private static void answers(Database database, Fence fence) throws SQLException {
        Matcher statement = STATEMENT.matcher(fence.text());
        int statements = 0;
        while (statement.find()) {
            assertThat(database.number(statement.group(1)))
                    .as(fence + ": " + statement.group())
                    .isEqualTo(Long.parseLong(statement.group(2)));
            statements++;
        }
        assertThat(statements).as(fence.toString()).isEqualTo((int)
                fence.text().lines().count());
    }
}
