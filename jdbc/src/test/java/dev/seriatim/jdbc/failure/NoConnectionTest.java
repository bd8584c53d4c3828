// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.StoreDriver;
import dev.seriatim.jdbc.dialect.ClassifiedException;
import dev.seriatim.jdbc.dialect.Fault;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What people are told when no connection comes about. */
class NoConnectionTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://127.0.0.1:1/db?user=u&password=pw%S3cret",
                "jdbc:postgresql//127.0.0.1:1/db?user=u&password=pwS3cret",
            })
    void a_url_that_no_driver_takes_may_be_misspelt(String url) {
        assertThatThrownBy(() -> StoreDriver.open(url))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContainingAll(
                        "no JDBC driver on the class path",
                        "takes",
                        "spelling",
                        "a % in a value is written %25",
                        "or add the driver's jar")
                .hasMessageNotContaining("S3cret");
    }

    private static void refused(String url, String why) {
        assertThatThrownBy(() -> StoreDriver.open(url))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContainingAll("refuses this connection", why, "check the URL's user, password and options")
                .hasMessageNotContaining("server runs")
                .hasMessageNotContaining("\n");
    }

    @Test
    void a_server_that_answers_and_refuses_is_not_looked_for() {
        try (Server server = Server.postgresql(Map.of())) {
            Database database = server.freshDatabase();
            refused(database.option("sslmode", "require").url(), "does not support SSL");
            refused(database.option("options", "-c no_such=1").url(), "no_such");
            refused(database.option("options", "-c lock_timeout=soon").url(), "lock_timeout");
        }
    }

    @Test
    void an_option_that_h2_does_not_know_is_named() {
        refused(Engine.H2.freshDatabase().url() + ";NO_SUCH=1", "NO_SUCH");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            28P01 | 0    | password authentication failed      | true  | does not let this user in
            28000 | 1045 | Access denied for user              | true  | does not let this user in
            -     | 1045 | Access denied for user              | true  | does not let this user in
            3D000 | 0    | database "d" does not exist         | true  | there is no such database
            42000 | 1049 | Unknown database 'd'                | true  | there is no such database
            90149 | 0    | Database "d" not found              | true  | there is no such database
            90146 | 0    | Database "d" not found              | true  | there is no such database
            -     | 5    | NOT_FOUND: Database not found: d    | true  | there is no such database
            -     | 5    | NOT_FOUND: Instance not found: i    | true  | there is no such database
            -     | 16   | UNAUTHENTICATED: who is it          | true  | gcloud auth application-default login
            -     | 7    | PERMISSION_DENIED: it may not       | true  | gcloud auth application-default login
            -     | 3    | INVALID_ARGUMENT: Invalid credentials | true | gcloud auth application-default login
            -     | 3    | INVALID_ARGUMENT: no such property  | true  | the driver does not take this URL
            90020 | 0    | Database may be already in use      | true  | is open in another process
            53300 | 0    | sorry, too many clients already     | false | has no connection to spare
            08004 | 1040 | Too many connections                | false | has no connection to spare
            42000 | 1203 | max_user_connections                | false | has no connection to spare
            42000 | 1226 | max_user_connections                | false | has no connection to spare
            08004 | 0    | rejected                            | true  | refuses this connection
            42602 | 0    | invalid option                      | true  | refuses this connection
            42704 | 0    | unrecognized parameter              | true  | refuses this connection
            22023 | 0    | invalid value                       | true  | refuses this connection
            90113 | 0    | Unsupported connection setting      | true  | refuses this connection
            08001 | 0    | Connection refused                  | false | cannot be reached
            -     | 5    | NOT_FOUND: Table not found: t       | false | cannot be reached
            -     | 0    | Database not found                  | false | cannot be reached
            """)
    void each_reason_has_a_remedy(String state, int code, String message, boolean misconfigured, String told) {
        SQLException e = new SQLException(message, state, code);
        assertThat(NoConnection.to("the database", e))
                .isInstanceOf(misconfigured ? Misconfigured.class : Unavailable.class)
                .hasMessageContainingAll("the database", message, told)
                .hasCause(e);
    }

    @Test
    void an_exhausted_pool_is_named_as_such_and_what_else_we_say_is_the_databases() {
        assertThat(NoConnection.to("the database", new ClassifiedException(Fault.NO_CONNECTION, "waited 300 ms")))
                .isInstanceOf(Overloaded.class)
                .hasMessageContainingAll("the pool of connections to the database is exhausted", "waited 300 ms");
        assertThat(NoConnection.to("the database", new ClassifiedException(Fault.LOST, "gone")))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("cannot be reached");
    }
}
