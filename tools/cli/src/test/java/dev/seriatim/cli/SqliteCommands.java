// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.io.TempDir;

/** Runs command lines on an SQLite file of each test's own. */
abstract class SqliteCommands {

    @TempDir
    private Path directory = Path.of("");

    final Path directory() {
        return directory;
    }

    final CommandLineRun run(String... args) {
        return CommandLineRun.on("sqlite:" + directory.resolve("test.db"), args);
    }

    /** Words at single spaces. */
    final CommandLineRun line(String words) {
        return run(words.split(" ", -1));
    }

    final void sql(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("test.db"));
                Statement statement = connection.createStatement()) {
            for (String text : statements) {
                statement.execute(text);
            }
        }
    }
}
