// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.sql.ClassifiedException;
import dev.seriatim.jdbc.sql.DriverUrl;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.ProgramRun;
import dev.seriatim.servers.Server;
import dev.seriatim.store.StoreDriver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The errors when no connection can be opened. */
class NoConnectionTest {

    private static void refused(String url, Class<?> type, String... words) {
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
    void a_percent_sign_that_encodes_nothing_is_reported_without_the_password(String url) {
        refused(url, Misconfigured.class, "as %25");
        assertThatThrownBy(() -> StoreDriver.open(url)).hasMessageNotContaining("check the host");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql//127.0.0.1:1/db?user=u&password=S3cret",
                "jdbc:postgresql://127.0.0.1:99999/db?password=S3cret",
                "jdbc:MARIADB://127.0.0.1:1/db",
                "jdbc:postgres://127.0.0.1:1/db?password=S3cret",
                "jdbc:sqlite3:x.db",
                "jdbc:oracle:thin:scott/S3cret@h:1:x",
                "jdbc:S3cret@h:1:x",
                "jdbc:",
            })
    void a_url_that_no_driver_accepts_is_refused_with_the_form_of_the_others(String url) {
        refused(
                url,
                Misconfigured.class,
                "accepts jdbc:",
                "; write jdbc:postgresql://HOST:PORT/DATABASE (PORT up to 65535)");
    }

    @Test
    void an_unknown_host_is_named() {
        refused(
                "jdbc:postgresql://no-such-host.invalid/db?user=u&password=S3cret",
                Unavailable.class,
                "the host 'no-such-host.invalid' is unknown",
                "check its spelling");
        refused("jdbc:mariadb://no-such-host.invalid/db", Unavailable.class, "host 'no-such-host.invalid' is unknown");
        refused("jdbc:mysql://no-such-host.invalid/db", Unavailable.class, "host 'no-such-host.invalid' is unknown");
        refused("jdbc:h2:tcp://no-such-host.invalid/db", Unavailable.class, "host 'no-such-host.invalid' is unknown");
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mariadb", "mysql"})
    void a_port_on_which_no_server_listens_is_reported(String product) {
        refused(
                "jdbc:" + product + "://127.0.0.1:1/db?user=u&password=S3cret",
                Unavailable.class,
                "127.0.0.1:1",
                "refused",
                "check the host and the port, and whether the server is running");
    }

    @Test
    void a_server_that_does_not_answer_is_reported() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String place = "://127.0.0.1:" + silent.getLocalPort() + "/db?user=u&password=S3cret";
            String[] words = {"did not answer in time", "check the host and the port", "a firewall"};
            refused("jdbc:postgresql" + place + "&loginTimeout=1", Unavailable.class, words);
            refused("jdbc:postgresql" + place + "&socketTimeout=1", Unavailable.class, words);
            refused("jdbc:mariadb" + place + "&connectTimeout=500&socketTimeout=500", Unavailable.class, words);
            refused("jdbc:mysql" + place + "&connectTimeout=500&socketTimeout=500", Unavailable.class, words);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mariadb", "mysql"})
    void a_server_that_accepts_connections_and_stays_silent_is_not_waited_for_without_end(String product)
            throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String place = "//127.0.0.1:" + silent.getLocalPort() + "/db";
            JdbcUrl url = JdbcUrl.parse("jdbc:" + product + ":" + place + "?user=u&password=S3cret");
            assertThatThrownBy(() -> url.access().run(true, Duration.ofMillis(500), session -> true))
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
            refused(place + "&seriatim.patience=1s", Unavailable.class, "did not answer the login within 5000 ms");
        }
    }

    @Test
    void an_option_of_the_drivers_with_a_wrong_value_is_named() {
        String why = "the URL is rejected";
        rejected("jdbc:postgresql://127.0.0.1:1/db?sslmode=requir", "sslmode");
        rejected("jdbc:mariadb://127.0.0.1:1/db?sslMode=requir", "requir");
        refused(
                "jdbc:mariadb://127.0.0.1:1/db?password=S3cret&connectTimeout=soon",
                Misconfigured.class,
                why,
                "connectTimeout");
        refused("jdbc:mysql://127.0.0.1:1/db?connectTimeout=soon", Misconfigured.class, why, "connectTimeout");
    }

    @Test
    void what_postgresql_refuses_is_reported_with_a_remedy() throws SQLException {
        try (Server server = Server.postgresql(Map.of())) {
            Database database = server.freshDatabase();
            String bare = database.url().replaceFirst("\\?.*", "");
            String[] user = {"rejects this user", "check the user and the password", "user=…&password=…"};
            refused(bare + "?user=postgres&pasword=S3cret", Misconfigured.class, user);
            refused(database.as("nobody", "S3cret").url(), Misconfigured.class, user);
            refused(bare + "?user=nobody&password=S3%63ret", Misconfigured.class, user);
            refused(bare + "?user=nobody&password=S3&cret", Misconfigured.class, user);
            refused(
                    database.option("sslmode", "require").url(),
                    Misconfigured.class,
                    "does not support SSL",
                    "SSL options");
            rejected(database.option("options", "-c no_such=1").url(), "no_such");
            rejected(database.option("options", "-c lock_timeout=soon").url(), "lock_timeout");
            rejected(database.option("socketTimeout", "soon").url(), "socketTimeout");
            database.execute(
                    "CREATE ROLE stranger LOGIN PASSWORD 'S3cret'",
                    "DO $$ BEGIN EXECUTE 'REVOKE CONNECT ON DATABASE ' || current_database() || ' FROM PUBLIC'; END $$");
            refused(
                    database.as("stranger", "S3cret").url(),
                    Misconfigured.class,
                    bare + " rejects this user",
                    "check the database's name, and grant this user access");
        }
    }

    @Test
    void each_fault_of_encryption_has_its_own_remedy_and_that_remedy_connects(@TempDir Path folder) throws Exception {
        Path authority = folder.resolve("root.crt");
        try (Server server = Server.postgresql(Map.of())) {
            Path data = server.folder().resolve("data");
            Path store = folder.resolve("keys");
            ProgramRun made = ProgramRun.of(new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-alias",
                    "server",
                    "-keyalg",
                    "RSA",
                    "-dname",
                    "CN=localhost",
                    "-storepass",
                    "secret",
                    "-keystore",
                    store.toString()));
            assertThat(made.code()).as(made.err()).isZero();
            KeyStore keys = KeyStore.getInstance(store.toFile(), "secret".toCharArray());
            pem(
                    data.resolve("server.crt"),
                    "CERTIFICATE",
                    keys.getCertificate("server").getEncoded());
            pem(
                    data.resolve("server.key"),
                    "PRIVATE KEY",
                    keys.getKey("server", "secret".toCharArray()).getEncoded());
            Files.copy(data.resolve("server.crt"), authority);
            for (String file : List.of("server.crt", "server.key")) {
                Files.setAttribute(data.resolve(file), "unix:uid", Files.getAttribute(data, "unix:uid"));
            }
            Files.setPosixFilePermissions(data.resolve("server.key"), PosixFilePermissions.fromString("rw-------"));
            Files.writeString(data.resolve("postgresql.conf"), "ssl = on\n", StandardOpenOption.APPEND);
            Files.writeString(data.resolve("pg_hba.conf"), "hostssl all all 127.0.0.1/32 password\n");
            server.kill();
            server.restart();
            Database database = server.freshDatabase();
            Database full = database.option("sslmode", "verify-full");
            String named = full.option("sslrootcert", authority.toString()).url();
            String why = "do not agree on encryption";
            String certificate = "name the certificate of the authority that signed the server's: sslrootcert=FILE";
            refused(full.option("sslrootcert", folder + "/none").url(), Misconfigured.class, why, certificate);
            refused(named, Misconfigured.class, why, "write a host name that is in the server's certificate");
            StoreDriver.open(named.replace("127.0.0.1", "localhost")).close();
            StoreDriver.open(named.replace("verify-full", "verify-ca")).close();
            refused(
                    database.option("sslmode", "disable").url(),
                    Misconfigured.class,
                    "rejects this user",
                    "leave sslmode=disable out of the URL");
            StoreDriver.open(database.url()).close();
        }
    }

    private static void pem(Path file, String kind, byte[] content) throws IOException {
        String lines = Base64.getMimeEncoder().encodeToString(content);
        Files.writeString(file, "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n");
    }

    @Test
    void a_missing_password_is_told_in_any_language_of_the_driver() {
        SQLException spanish = new SQLException("El servidor requiere una contraseña", "08004");
        assertThat(NoConnection.to(new DriverUrl("jdbc:postgresql://h/db?user=u"), spanish))
                .hasMessageContaining("check the user and the password");
        SQLException other = new SQLException("El servidor no soporta SSL", "08004");
        assertThat(NoConnection.to(new DriverUrl("jdbc:postgresql://h/db?user=u"), other))
                .hasMessageContaining("encryption");
    }

    @Test
    void what_mariadb_refuses_is_reported_with_a_remedy() throws SQLException {
        // Since 11.4, it has a certificate that the driver trusts.
        try (Server server = Server.mariadb(Map.of("ssl", "OFF"))) {
            Database database = server.freshDatabase();
            String bare = database.url().replaceFirst("\\?.*", "");
            database.execute("CREATE USER stranger IDENTIFIED BY 'S3cret'");
            Database stranger = database.as("stranger", "S3cret");
            String[] user = {"rejects this user", "check the user and the password", "user=…&password=…"};
            refused(bare + "?user=stranger", Misconfigured.class, user);
            refused(database.as("stranger", "wrong").url(), Misconfigured.class, user);
            refused(bare + "?user=stranger&password=S3cret%25", Misconfigured.class, user);
            refused(bare + "?user=stranger&password=S3&cret", Misconfigured.class, user);
            refused(database.option("sslMode", "verify-full").url(), Misconfigured.class, "SSL options of the URL");
            refused(
                    stranger.url(),
                    Misconfigured.class,
                    bare + " rejects this user",
                    "check the database's name, and grant this user access");
            rejected(database.url() + "&sessionVariables=no_such=1", "no_such");
        }
    }

    @Test
    void a_server_of_another_product_is_reported() {
        Database postgres = Engine.POSTGRESQL.freshDatabase();
        Database mariadb = Engine.MARIADB.freshDatabase();
        String there = mariadb.url().replaceFirst("^jdbc:[a-z]+:", "jdbc:postgresql:");
        refused(there, Misconfigured.class, "do not agree on encryption");
        refused(
                postgres.option("connectTimeout", "1000").url().replaceFirst("^jdbc:[a-z]+:", "jdbc:mariadb:"),
                Unavailable.class,
                "did not answer in time",
                "whether the server listens there");
    }

    @Test
    void what_h2_says_of_a_file_is_not_looked_for_in_the_network() throws IOException {
        refused("jdbc:h2:relative", Misconfigured.class, "the URL is rejected", "./name");
        Path file = Files.createTempFile("no", "folder");
        refused("jdbc:h2:" + file + "/below/x", Misconfigured.class, "cannot open its file", "folder", "write");
        Files.delete(file);
    }

    @Test
    void a_file_that_sqlite_cannot_open_is_named_with_the_reason() throws IOException {
        Path folder = Files.createTempDirectory("sqlite");
        try {
            refused(
                    "jdbc:sqlite:" + folder + "/none/x.db",
                    Misconfigured.class,
                    folder + "/none/x.db",
                    "in a folder that does not exist",
                    "create the folder first: " + folder + "/none");
            refused("jdbc:sqlite:" + folder, Misconfigured.class, "is a folder", "name a file in it");
            assertThatThrownBy(() -> StoreDriver.open("jdbc:sqlite:file:" + folder + "/none/x.db"))
                    .hasMessageContaining("create files in its folder")
                    .hasMessageNotContaining("file:/none");
            Path text = Files.writeString(folder.resolve("text.db"), "no database at all".repeat(100));
            refused("jdbc:sqlite:" + text, Misconfigured.class, "is not a SQLite database", "name another one");
            Files.delete(text);
        } finally {
            Files.delete(folder);
        }
    }

    private static void rejected(String url, String why) {
        refused(url, Misconfigured.class, "the URL is rejected", why, "correct its options");
    }

    @Test
    void an_option_that_h2_does_not_know_is_named() {
        refused(Engine.H2.freshDatabase().url() + ";NO_SUCH=1", Misconfigured.class, "NO_SUCH");
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
            -     | 3    | INVALID_ARGUMENT: no such property  | true  | the URL is rejected
            90020 | 0    | Database may be already in use      | true  | is open in another process
            53300 | 0    | sorry, too many clients already     | false | has no free connection
            53400 | 0    | Unable to accept connection, rate exceeded. | false | has no free connection
            08004 | 1040 | Too many connections                | false | has no free connection
            42000 | 1203 | max_user_connections                | false | has no free connection
            42000 | 1226 | max_user_connections                | false | has no free connection
            08004 | 0    | rejected                            | true  | the URL is rejected
            42602 | 0    | invalid option                      | true  | the URL is rejected
            42704 | 0    | unrecognized parameter              | true  | the URL is rejected
            22023 | 0    | invalid value                       | true  | the URL is rejected
            90113 | 0    | Unsupported connection setting      | true  | the URL is rejected
            08001 | 0    | Connection refused                  | false | cannot be reached
            08006 | 0    | An I/O error occurred               | false | cannot be reached
            08P01 | 0    | Protocol error.                     | false | cannot be reached
            -     | 5    | NOT_FOUND: Table not found: t       | false | cannot be opened
            -     | 0    | Database not found                  | false | cannot be opened
            55000 | 0    | FATAL: is not accepting connections | false | cannot be opened
            42501 | 0    | FATAL: permission denied            | true  | name, and grant this user access
            42000 | 1044 | Access denied to database 'd'       | true  | name, and grant this user access
            S0001 | 4060  | Cannot open database "d" requested | true | name, and grant this user access
            S0001 | 18456 | Login failed for user 'u'          | true  | check the user and the password
            57P03 | 0    | FATAL: the system is starting up    | false | whether the server is running
            28000 | 0    | FATAL: no pg_hba.conf entry         | true  | check the user and the password
            28000 | 28000 | Wrong user name or password        | true  | check the user and the password
            08004 | 1045 | Access denied                       | true  | check the user and the password
            HY000 | 1130 | Host is not allowed to connect      | true  | rejects this user
            HY000 | 4151 | Account is locked                   | true  | rejects this user
            HY000 | 1862 | Your password has expired           | true  | rejects this user
            08004 | 3159 | insecure transport is prohibited    | true  | SSL options of the URL
            S1009 | 0    | RSA public key is not available     | true  | SSL options of the URL
            -     | 5    | [SQLITE_BUSY] The file is locked    | false | end the process that holds the lock
            -     | 8    | [SQLITE_READONLY] Attempt to write  | true  | allow this user to write to the file and its folder
            -     | 13   | [SQLITE_FULL] disk is full          | false | free some
            -     | 10   | [SQLITE_IOERR] disk I/O error       | false | check the disk
            -     | 14   | [SQLITE_CANTOPEN] Unable to open    | true  | create files in its folder
            90062 | 90062 | Error while creating file          | true  | an existing folder
            90011 | 90011 | implicitly relative                | true  | the URL is rejected
            """)
    void each_reason_has_a_remedy(String state, int code, String message, boolean misconfigured, String remedy) {
        SQLException e = new SQLException(message, state, code);
        assertThat(NoConnection.to("the database", e))
                .isInstanceOf(misconfigured ? Misconfigured.class : Unavailable.class)
                .hasMessageContainingAll("the database", message, remedy)
                .hasCause(e);
    }

    @Test
    void auroras_connector_signs_in_with_credentials() {
        DriverUrl aurora = new DriverUrl("jdbc:aws-dsql:postgresql://h/postgres?user=admin");
        assertThat(NoConnection.to(aurora, new SQLException("access denied", "42501")))
                .hasMessageContaining("allow dsql:DbConnect");
    }

    @Test
    void what_a_pool_throws_is_classified_by_its_cause_but_in_the_pools_own_words() {
        SQLException cause = new SQLException("Access denied for S3cret", "42000", 1044);
        SQLException pools = new SQLTransientConnectionException("pool: request timed out", "42000", cause);
        assertThat(NoConnection.to("the database", pools))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContainingAll(
                        "the database",
                        "pool: request timed out",
                        "check the database's name, and grant this user access")
                .hasMessageNotContaining("S3cret")
                .hasCause(pools);
        assertThat(NoConnection.to(new DriverUrl("jdbc:mariadb://h/db"), pools))
                .hasMessageContaining("Access denied for S3cret");
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

    private static SQLException causedBy(Throwable cause) {
        return new SQLException("it failed", "HY000", cause);
    }

    /** As a driver's own exception for its socket. */
    private static final class SocketFailure extends IOException {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void a_cause_tells_what_the_drivers_words_do_not() {
        assertThat(NoConnection.to("the database", causedBy(new SSLHandshakeException("no path"))))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("do not agree on encryption");
        assertThat(NoConnection.to("the database", causedBy(new SocketFailure())))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("cannot be reached (it failed); check the host and the port");
        assertThat(NoConnection.to("the database", causedBy(new IllegalStateException("no"))))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("cannot be opened (it failed); correct the URL");
    }

    @Test
    void a_cause_is_quoted_where_it_says_more_of_the_connection() {
        DriverUrl url = new DriverUrl("jdbc:mariadb://h/db");
        assertThat(NoConnection.to(url, causedBy(new SQLException("no such option"))))
                .hasMessageContaining("(it failed: no such option)");
        assertThat(NoConnection.to(url, causedBy(new IOException("reset by peer"))))
                .hasMessageContaining("(it failed: reset by peer)");
        assertThat(NoConnection.to(url, causedBy(new SocketFailure()))).hasMessageContaining("(it failed)");
        assertThat(NoConnection.to(url, causedBy(new IllegalStateException("internal"))))
                .hasMessageContaining("(it failed)");
    }

    @Test
    void a_host_that_may_be_a_part_of_a_malformed_url_is_not_quoted() {
        assertThat(NoConnection.to("the database", causedBy(new UnknownHostException("u/S3cret@h"))))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("cannot be reached")
                .hasMessageNotContaining("S3cret");
    }

    @Test
    void a_driver_that_is_missing_is_to_be_added() {
        SQLException none = new SQLException("No suitable driver found", "08001");
        assertThat(NoConnection.to("the database", none))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("accepts the URL of this data source; add the driver's jar");
        assertThat(NoConnection.to(new DriverUrl("jdbc:cloudspanner:/projects/p"), none))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("accepts jdbc:cloudspanner:/projects/p; add the driver's jar");
    }
}
