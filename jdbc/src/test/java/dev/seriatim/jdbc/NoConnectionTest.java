// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.dialect.ClassifiedException;
import dev.seriatim.jdbc.dialect.Fault;
import dev.seriatim.jdbc.failure.DriverUrl;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import dev.seriatim.store.StoreDriver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The errors when no connection can be opened. */
class NoConnectionTest {

    private static void told(String url, Class<?> type, String... words) {
        assertThatThrownBy(() -> StoreDriver.open(url).close())
                .isInstanceOf(type)
                .hasMessageContainingAll(words)
                .hasMessageNotContaining("S3cret")
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://127.0.0.1:1/db?user=u&password=pw%S3cret",
                "jdbc:postgresql://127.0.0.1:1/db?password=S3cret%&user=u",
                "jdbc:mysql://127.0.0.1:1/db?user=u&password=pw%S3cret",
            })
    void a_percent_sign_that_encodes_nothing_is_named(String url) {
        told(url, Misconfigured.class, "the value of password", "write it %25");
        assertThatThrownBy(() -> StoreDriver.open(url)).hasMessageNotContainingAny("jar", "check the host");
    }

    @Test
    void a_percent_sign_is_looked_for_in_every_part_of_the_url() {
        told("jdbc:postgresql://127.0.0.1:1/d%b", Misconfigured.class, "the name of the database", "write it %25");
        told("jdbc:postgresql://127.0.0.1:1/db?user=%u", Misconfigured.class, "the value of user", "write it %25");
        told(
                "jdbc:postgresql://127.0.0.1:1/db?password=a&S3cret=%b",
                Misconfigured.class, "the value of another option", "write it %25");
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql//127.0.0.1:1/db?user=u&password=S3cret, write it as jdbc:postgresql://HOST:PORT/DATABASE",
        "jdbc:postgresql://127.0.0.1:99999/db?password=S3cret, write it as jdbc:postgresql://HOST:PORT/DATABASE",
        "jdbc:MARIADB://127.0.0.1:1/db, write it as jdbc:mariadb://HOST:PORT/DATABASE",
        "jdbc:postgres://127.0.0.1:1/db?password=S3cret, write jdbc:postgresql:",
        "jdbc:postgresl://127.0.0.1:1/db, write jdbc:postgresql:",
        "jdbc:maria://127.0.0.1:1/db, write jdbc:mariadb:",
        "jdbc:mariabd://127.0.0.1:1/db, write jdbc:mariadb:",
        "jdbc:sqlite3:x.db, write jdbc:sqlite:",
        "jdbc:oracle:thin:scott/S3cret@h:1:x, supported: SQLite",
        "jdbc:S3cret@h:1:x, supported: SQLite",
        "jdbc:, supported: SQLite",
    })
    void a_url_that_no_driver_takes_is_told_how_to_write_it(String url, String remedy) {
        told(url, Misconfigured.class, "jdbc:", remedy);
    }

    @Test
    void an_unknown_host_is_named() {
        told(
                "jdbc:postgresql://no-such-host.invalid/db?user=u&password=S3cret",
                Unavailable.class,
                "the host 'no-such-host.invalid' is unknown",
                "check its spelling");
        told("jdbc:mariadb://no-such-host.invalid/db", Unavailable.class, "host 'no-such-host.invalid' is unknown");
        told("jdbc:mysql://no-such-host.invalid/db", Unavailable.class, "host 'no-such-host.invalid' is unknown");
        told("jdbc:h2:tcp://no-such-host.invalid/db", Unavailable.class, "host 'no-such-host.invalid' is unknown");
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mariadb", "mysql"})
    void a_port_where_nobody_listens_is_told(String product) {
        told(
                "jdbc:" + product + "://127.0.0.1:1/db?user=u&password=S3cret",
                Unavailable.class,
                "127.0.0.1:1",
                "refused",
                "check the host and the port, and whether the server is running");
    }

    @Test
    void a_server_that_does_not_answer_is_told() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String place = "://127.0.0.1:" + silent.getLocalPort() + "/db?user=u&password=S3cret";
            String[] words = {"did not answer in time", "check the host and the port", "a firewall"};
            told("jdbc:postgresql" + place + "&loginTimeout=1", Unavailable.class, words);
            told("jdbc:postgresql" + place + "&socketTimeout=1", Unavailable.class, words);
            told("jdbc:mariadb" + place + "&connectTimeout=500&socketTimeout=500", Unavailable.class, words);
            told("jdbc:mysql" + place + "&connectTimeout=500&socketTimeout=500", Unavailable.class, words);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mariadb", "mysql"})
    void a_server_that_accepts_connections_and_stays_silent_is_not_waited_for_without_end(String product)
            throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String place = "//127.0.0.1:" + silent.getLocalPort() + "/db";
            JdbcUrl url = JdbcUrl.parse("jdbc:" + product + ":" + place + "?user=u&password=S3cret");
            assertThatThrownBy(() -> url.opening().door().open(true, Duration.ofMillis(500)))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContainingAll(
                            place,
                            "accepted the connection, but did not answer the login within 500 ms",
                            "; check that the port is the database's")
                    .hasMessageNotContaining("S3cret")
                    .hasMessageNotContaining("\n");
        }
    }

    @Test
    @Tag("long") // a login has 5 s at least
    void a_store_does_not_wait_without_end_for_a_server_that_stays_silent() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String place = "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/db?user=u&password=S3cret";
            told(place + "&seriatim.patience=1s", Unavailable.class, "did not answer the login within 5000 ms");
        }
    }

    @Test
    void an_option_of_the_drivers_with_a_wrong_value_is_named() {
        String[] words = {"the driver rejects this URL", "correct the option"};
        told("jdbc:postgresql://127.0.0.1:1/db?sslmode=requir", Misconfigured.class, words[0], words[1] + " sslmode");
        told("jdbc:mariadb://127.0.0.1:1/db?sslMode=requir", Misconfigured.class, words[0], words[1] + " sslMode");
        told(
                "jdbc:mariadb://127.0.0.1:1/db?password=S3cret&connectTimeout=soon",
                Misconfigured.class,
                words[0],
                words[1] + " connectTimeout");
        told(
                "jdbc:mysql://127.0.0.1:1/db?connectTimeout=soon",
                Misconfigured.class,
                words[0],
                words[1] + " connectTimeout");
    }

    @Test
    void what_postgresql_refuses_has_its_own_remedy_each() throws SQLException {
        try (Server server = Server.postgresql(Map.of())) {
            Database database = server.freshDatabase();
            String bare = database.url().replaceFirst("\\?.*", "");
            told(bare, Misconfigured.class, "no password", "add user=…&password=…");
            told(bare + "?user=postgres&pasword=S3cret", Misconfigured.class, "no password", "add user=…&password=…");
            told(database.as("nobody", "S3cret").url(), Misconfigured.class, "check the user and the password");
            told(
                    bare + "?user=nobody&password=S3%63ret",
                    Misconfigured.class,
                    "check the user and the password",
                    "write a % in it as %25");
            told(bare + "?user=nobody&password=S3&cret", Misconfigured.class, "write an & in it as %26");
            told(
                    database.option("sslmode", "require").url(),
                    Misconfigured.class,
                    "does not support SSL",
                    "enable SSL on the server",
                    "remove sslmode from the URL");
            refused(database.option("options", "-c no_such=1").url(), "no_such");
            refused(database.option("options", "-c lock_timeout=soon").url(), "lock_timeout");
            told(
                    database.option("socketTimeout", "soon").url(),
                    Misconfigured.class,
                    "correct the option socketTimeout");
            database.execute(
                    "CREATE ROLE stranger LOGIN PASSWORD 'S3cret'",
                    "DO $$ BEGIN EXECUTE 'REVOKE CONNECT ON DATABASE ' || current_database() || ' FROM PUBLIC'; END $$");
            told(
                    database.as("stranger", "S3cret").url(),
                    Misconfigured.class,
                    "this user has no access to " + bare,
                    "GRANT CONNECT ON DATABASE");
        }
    }

    @Test
    void what_mariadb_refuses_has_its_own_remedy_each() throws SQLException {
        try (Server server = Server.mariadb(Map.of())) {
            Database database = server.freshDatabase();
            String bare = database.url().replaceFirst("\\?.*", "");
            database.execute("CREATE USER stranger IDENTIFIED BY 'S3cret'");
            Database stranger = database.as("stranger", "S3cret");
            told(bare + "?user=stranger", Misconfigured.class, "no password", "add user=…&password=…");
            told(
                    database.as("stranger", "wrong").url(),
                    Misconfigured.class,
                    "check the user and the password",
                    "the hosts from which the account may connect");
            told(
                    bare + "?user=stranger&password=S3cret%25",
                    Misconfigured.class,
                    "check the user and the password",
                    "MariaDB's driver decodes nothing and reads a % literally");
            told(
                    bare + "?user=stranger&password=S3&cret",
                    Misconfigured.class,
                    "MariaDB's driver ends a password at an & and does not decode %26");
            told(
                    database.option("sslMode", "verify-full").url(),
                    Misconfigured.class,
                    "SSL",
                    "enable SSL on the server",
                    "remove sslMode from the URL");
            told(
                    stranger.url(),
                    Misconfigured.class,
                    "this user has no access to " + bare,
                    "check the database's name",
                    "GRANT");
            told(
                    database.url() + "&sessionVariables=no_such=1",
                    Misconfigured.class,
                    "no_such",
                    "the driver rejects this URL");
        }
    }

    @Test
    void a_server_of_another_product_is_told() {
        Database postgres = Engine.POSTGRESQL.freshDatabase();
        Database mariadb = Engine.MARIADB.freshDatabase();
        String there = mariadb.url().replaceFirst("^jdbc:[a-z]+:", "jdbc:postgresql:");
        told(there, Misconfigured.class, "is no PostgreSQL server", "check the port");
        told(
                postgres.option("connectTimeout", "1000").url().replaceFirst("^jdbc:[a-z]+:", "jdbc:mariadb:"),
                Unavailable.class,
                "did not answer in time",
                "whether the server listens there");
    }

    @Test
    void what_h2_says_of_a_file_is_not_looked_for_in_the_network() throws IOException {
        told("jdbc:h2:relative", Misconfigured.class, "the driver rejects this URL", "./name");
        Path file = Files.createTempFile("no", "folder");
        told("jdbc:h2:" + file + "/below/x", Misconfigured.class, "cannot open its file", "folder", "write");
        Files.delete(file);
    }

    @Test
    void a_file_that_sqlite_cannot_open_is_named_with_the_reason() throws IOException {
        Path folder = Files.createTempDirectory("sqlite");
        try {
            told(
                    "jdbc:sqlite:" + folder + "/none/x.db",
                    Misconfigured.class,
                    folder + "/none/x.db",
                    "in a folder that does not exist",
                    "create the folder first: " + folder + "/none");
            told("jdbc:sqlite:" + folder, Misconfigured.class, "is a folder", "name a file in it");
            assertThatThrownBy(() -> StoreDriver.open("jdbc:sqlite:file:" + folder + "/none/x.db"))
                    .hasMessageContaining("create files in its folder")
                    .hasMessageNotContaining("file:/none");
            Path text = Files.writeString(folder.resolve("text.db"), "no database at all".repeat(100));
            told("jdbc:sqlite:" + text, Misconfigured.class, "is not a SQLite database", "name another one");
            Files.delete(text);
        } finally {
            Files.delete(folder);
        }
    }

    private static void refused(String url, String why) {
        told(url, Misconfigured.class, "rejects this connection", why, "check the URL's options");
    }

    @Test
    void an_option_that_h2_does_not_know_is_named() {
        told(
                Engine.H2.freshDatabase().url() + ";NO_SUCH=1",
                Misconfigured.class,
                "NO_SUCH",
                "correct the option NO_SUCH");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            28P01 | 0    | password authentication failed      | true  | rejects this user
            28000 | 1045 | Access denied for user              | true  | rejects this user
            -     | 1045 | Access denied for user              | true  | rejects this user
            3D000 | 0    | database "d" does not exist         | true  | there is no such database
            42000 | 1049 | Unknown database 'd'                | true  | there is no such database
            90149 | 0    | Database "d" not found              | true  | there is no such database
            90146 | 0    | Database "d" not found              | true  | there is no such database
            -     | 5    | NOT_FOUND: Database not found: d    | true  | there is no such database
            -     | 5    | NOT_FOUND: Instance not found: i    | true  | there is no such database
            -     | 16   | UNAUTHENTICATED: who is it          | true  | gcloud auth application-default login
            -     | 7    | PERMISSION_DENIED: it may not       | true  | gcloud auth application-default login
            -     | 3    | INVALID_ARGUMENT: Invalid credentials | true | gcloud auth application-default login
            -     | 3    | INVALID_ARGUMENT: no such property  | true  | the driver rejects this URL
            90020 | 0    | Database may be already in use      | true  | is open in another process
            53300 | 0    | sorry, too many clients already     | false | has no free connection
            08004 | 1040 | Too many connections                | false | has no free connection
            42000 | 1203 | max_user_connections                | false | has no free connection
            42000 | 1226 | max_user_connections                | false | has no free connection
            08004 | 0    | rejected                            | true  | rejects this connection
            42602 | 0    | invalid option                      | true  | rejects this connection
            42704 | 0    | unrecognized parameter              | true  | rejects this connection
            22023 | 0    | invalid value                       | true  | rejects this connection
            90113 | 0    | Unsupported connection setting      | true  | rejects this connection
            08001 | 0    | Connection refused                  | false | cannot be reached
            08006 | 0    | An I/O error occurred               | false | cannot be reached
            -     | 5    | NOT_FOUND: Table not found: t       | false | cannot be opened
            -     | 0    | Database not found                  | false | cannot be opened
            42501 | 0    | FATAL: permission denied            | true  | GRANT CONNECT ON DATABASE
            42000 | 1044 | Access denied to database 'd'       | true  | check the database's name
            55000 | 0    | FATAL: is not accepting connections | true  | ALLOW_CONNECTIONS true
            57P03 | 0    | FATAL: the system is starting up    | false | try again once the server has started
            28000 | 0    | FATAL: no pg_hba.conf entry         | true  | the lines of the server's pg_hba.conf
            28P01 | 0    | FATAL: password failed              | true  | check the user and the password
            28000 | 28000 | Wrong user name or password        | true  | check the user and the password
            08004 | 1045 | Access denied                       | true  | the hosts from which the account may connect
            HY000 | 1130 | Host is not allowed to connect      | true  | CREATE USER 'NAME'@'HOST'
            HY000 | 4151 | Account is locked                   | true  | ACCOUNT UNLOCK
            HY000 | 1862 | Your password has expired           | true  | set a new password
            08004 | 3159 | insecure transport is prohibited    | true  | add sslMode=verify-full
            S1009 | 0    | RSA public key is not available     | true  | allowPublicKeyRetrieval
            08P01 | 0    | Protocol error.                     | true  | is no PostgreSQL server
            08P01 | 0    | FATAL: unsupported startup parameter | true | rejects this connection
            -     | 5    | [SQLITE_BUSY] The file is locked    | false | end the process that holds the lock
            -     | 8    | [SQLITE_READONLY] Attempt to write  | true  | allow this user to write to the file and its folder
            -     | 13   | [SQLITE_FULL] disk is full          | false | free some
            -     | 10   | [SQLITE_IOERR] disk I/O error       | false | check the disk
            -     | 14   | [SQLITE_CANTOPEN] Unable to open    | true  | create files in its folder
            90062 | 90062 | Error while creating file          | true  | an existing folder
            90011 | 90011 | implicitly relative                | true  | the driver rejects this URL
            """)
    void each_reason_has_a_remedy(String state, int code, String message, boolean misconfigured, String told) {
        SQLException e = new SQLException(message, state, code);
        assertThat(NoConnection.to("the database", e))
                .isInstanceOf(misconfigured ? Misconfigured.class : Unavailable.class)
                .hasMessageContainingAll("the database", message, told)
                .hasCause(e);
    }

    @Test
    void what_a_pool_throws_is_told_by_its_cause_but_in_the_pools_own_words() {
        SQLException cause = new SQLException("Access denied for S3cret", "42000", 1044);
        SQLException pools = new SQLTransientConnectionException("pool: request timed out", "42000", cause);
        assertThat(NoConnection.to("the database", pools))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContainingAll("the database", "pool: request timed out", "check the database's name")
                .hasMessageNotContaining("S3cret")
                .hasCause(pools);
        assertThat(NoConnection.to(new DriverUrl("jdbc:mariadb://h/db"), pools))
                .hasMessageContaining("Access denied for S3cret");
    }

    private static Misconfigured noDriver(String url, String... present) {
        List<String> taken = List.of(present);
        NoDriver none = new NoDriver(
                new DriverUrl(url), like -> taken.stream().anyMatch(name -> like.startsWith("jdbc:" + name + ":")));
        return none.told(new SQLException("No suitable driver"));
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:mysql://h/db, MariaDB's driver is present and works with MySQL: write jdbc:mariadb:",
        "jdbc:mysql://h/db, com.mysql:mysql-connector-j",
        "jdbc:postgresql://h/db, add org.postgresql:postgresql (for the command: SERIATIM_CLASSPATH=FILE.jar)",
        "jdbc:cloudspanner:/projects/p/instances/i/databases/d, add com.google.cloud:google-cloud-spanner-jdbc",
        "jdbc:mariadb:h/db, write it as jdbc:mariadb://HOST:PORT/DATABASE",
        "jdbc:h2, write it as jdbc:h2:FILE",
    })
    void a_driver_that_is_missing_is_named(String url, String remedy) {
        assertThat(noDriver(url, "mariadb", "h2")).hasMessageContaining(remedy);
    }

    @Test
    void nobody_is_sent_to_a_driver_that_is_missing_too() {
        assertThat(noDriver("jdbc:mysql://h/db"))
                .hasMessageContaining("add com.mysql:mysql-connector-j")
                .hasMessageNotContaining("mariadb");
        assertThat(noDriver("jdbc:mysql:h/db", "mysql")).hasMessageContaining("write it as jdbc:mysql://HOST");
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
