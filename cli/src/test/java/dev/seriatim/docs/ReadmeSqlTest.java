// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.SchemaInstaller;
import dev.seriatim.store.StoreDriver;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReadmeSqlTest {

    private static final Pattern BLOCK = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);
    private static final Pattern STATEMENT = Pattern.compile("^(SELECT .*);\\s+-- (\\d+)", Pattern.MULTILINE);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void every_statement_answers_what_its_comment_says(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        try (var store = StoreDriver.open(database.url())) {
            ((SchemaInstaller) store).install();
        }
        Matcher block = BLOCK.matcher(Repository.read("README.md"));
        assertThat(block.find()).isTrue();
        Matcher statement = STATEMENT.matcher(block.group(1));
        int statements = 0;
        while (statement.find()) {
            assertThat(database.number(statement.group(1)))
                    .as(statement.group())
                    .isEqualTo(Long.parseLong(statement.group(2)));
            statements++;
        }
        assertThat(statements).isEqualTo(block.group(1).lines().count());
    }
}
