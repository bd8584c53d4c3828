// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pollers;

import dev.seriatim.servers.Database;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;

/** Logstash's JDBC input: {@code SERIATIM_TEST_LOGSTASH_HOME} names the folder of a Logstash distribution. */
class LogstashTest extends PollerContract {
    private static final String HOME = Objects.requireNonNullElse(System.getenv("SERIATIM_TEST_LOGSTASH_HOME"), "");

    private static final String PIPELINE = """
            input {
              jdbc {
                jdbc_driver_library => "%s"
                jdbc_driver_class => "%s"
                jdbc_connection_string => "%s"
                jdbc_user => "%s"
                jdbc_password => "%s"
                statement => "%s LIMIT 5000"
                use_column_value => true
                tracking_column => "%s"
                last_run_metadata_path => "%s"
                schedule => "* * * * * *"
              }
            }
            output {
              file {
                path => "%s"
                codec => json_lines
              }
            }
            """;

    @Override
    Poller start(Source source, Polled polled) throws Exception {
        Assumptions.assumeFalse(HOME.isEmpty(), "SERIATIM_TEST_LOGSTASH_HOME is not set");
        Database database = source.database();
        Class<?> driver = Class.forName(source.isPostgresql() ? "org.postgresql.Driver" : "org.mariadb.jdbc.Driver");
        Path rows = folder.resolve("rows");
        Path pipeline = Files.writeString(
                folder.resolve("pipeline.conf"),
                PIPELINE.formatted(
                        Path.of(driver.getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI()),
                        driver.getName(),
                        database.location(),
                        database.user(),
                        database.password(),
                        source.query(":sql_last_value"),
                        source.column(),
                        folder.resolve("last_run"),
                        rows));
        List<String> command = List.of(
                HOME + "/bin/logstash",
                "-f",
                pipeline.toString(),
                "--path.data",
                Files.createDirectories(folder.resolve("data")).toString());
        return new ForeignProgram(folder, "logstash", command, Map.of()).reading(rows, polled::json);
    }
}
