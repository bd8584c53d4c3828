// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.SequenceException;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.StoreUrl;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No output contains a URL's secrets, however malformed the URL is. */
@Tag("long")
class SecretsTest {

    /** Pieces of the passwords of {@link #wrongUrls}, as drivers split them. */
    private static final String[] PIECES = {
        "hunter2", "ter2", "st4ple", "corr3ct", "hun@", "hun;", "hun%", "hun:", "hun/"
    };

    private final List<String> logged = new ArrayList<>();
    private final Handler log = new Handler() {
        @Override
        public void publish(LogRecord line) {
            if (line.getLevel().intValue() >= Level.INFO.intValue()) {
                StringBuilder text = new StringBuilder(String.valueOf(line.getMessage()));
                for (Object parameter : line.getParameters() == null ? new Object[0] : line.getParameters()) {
                    text.append(' ').append(parameter);
                }
                logged.add(text + (line.getThrown() == null ? "" : trace(line.getThrown())));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        Logger.getLogger("").addHandler(log);
    }

    @AfterEach
    void listenNoMore() {
        Logger.getLogger("").removeHandler(log);
    }

    static Stream<String> wrongUrls() {
        return Stream.of(
                "jdbc:mariadb://app:hunter2@127.0.0.1:1/db",
                "jdbc:mariadb://app:hunter2@127.0.0.1/db",
                "jdbc:mariadb://app:hun@ter2@127.0.0.1:1/db",
                "jdbc:mariadb://app:hun/ter2@127.0.0.1:1/db",
                "jdbc:mariadb://app:hun?ter2@127.0.0.1:1/db",
                "jdbc:mariadb://app:hun;ter2@127.0.0.1:1/db",
                "jdbc:mariadb://app:hunter2/db",
                "jdbc:mariadb://app:hunter2",
                "jdbc:mariadb:app:hunter2@127.0.0.1:1/db",
                "jdbc:mariadb//app:hunter2@127.0.0.1:1/db",
                "jdbc:mariadb://127.0.0.1:1/db?user=app&password=hunter2&seriatim.tabel=x",
                "jdbc:mariadb://127.0.0.1:1/db?user=app&pass=hunter2&seriatim.tabel=x",
                "jdbc:mariadb://127.0.0.1:1/db?user=app&password=hun ter2",
                "jdbc:mariadb://127.0.0.1:1/db&user=app&password=hunter2",
                "jdbc:mariadb://127.0.0.1:hunter2/db",
                "jdbc:postgresql://app:hunter2@127.0.0.1:1/db",
                "jdbc:postgresql://app:hun@ter2@127.0.0.1/db",
                "jdbc:postgresql://app:hun%40ter2@127.0.0.1/db",
                "jdbc:postgresql://127.0.0.1:1/db?user=app&password=hunter2",
                "jdbc:postgresql://127.0.0.1:1/db?user=app;password=hunter2",
                "jdbc:postgresql://127.0.0.1:1/db?user=app&password=hun;ter2 st4ple&seriatim.patience=soon",
                "jdbc:postgresql://127.0.0.1:1/db?user=app&password=hun%ter2",
                "jdbc:postgresql://127.0.0.1:1/db?password:hunter2",
                "jdbc:postgresql://127.0.0.1:1/db user=app password=hunter2",
                "jdbc:postgresql:app:hunter2@127.0.0.1:1/db",
                "jdbc:mysql://app:hunter2@127.0.0.1:1/db",
                "jdbc:mysql://app:hun@ter2@127.0.0.1:1/db",
                "jdbc:mysql://app:hun:ter2@127.0.0.1:port/db",
                "jdbc:mysql://app:hunter2/127.0.0.1/db",
                "jdbc:mysql://(host=127.0.0.1,port=1,user=app,password=hunter2)/db",
                "jdbc:mysql://address=(host=127.0.0.1)(port=x)(user=app)(password=hun)ter2)/db",
                "jdbc:mysql:loadbalance://app:hun%40ter2@127.0.0.1:1/db?password=corr%40st4ple&retriesAllDown=1",
                "jdbc:mysql://address=(host=127.0.0.1)(port=1)(user=app)(password=hun%40ter2)/db",
                "jdbc:p6spy:mysql:replication://127.0.0.1:1/db?user=app&password=hun%40ter2",
                "jdbc:p6spy:mariadb:sequential://app:hun%40ter2@127.0.0.1:1/db",
                "jdbc:mariadb:sequential:replication://127.0.0.1:1/db?user=app&password=hun@ter2&retriesAllDown=1",
                "jdbc:h2:mem:x;USER=sa;PASSWORD=hun;ter2",
                "jdbc:h2:mem:x;USER=sa;PASSWORT=hunter2",
                "jdbc:h2:mem:x;USER=sa PASSWORD=hunter2",
                "jdbc:h2:nowhere:x;USER=sa;PASSWORD=hunter2;",
                "jdbc:h2:tcp://sa:hunter2@127.0.0.1:1/x",
                "jdbc:h2:mem:x?user=sa&password=hunter2",
                "jdbc:sqlite:/nowhere/at/all.db?password=hunter2&cipher=st4ple",
                "jdbc:unknown://app:hunter2@127.0.0.1/db",
                "jdbc:app:hunter2@127.0.0.1/db",
                "jdbc:?password=hunter2",
                " jdbc:mariadb://app:hunter2@127.0.0.1:1/db",
                "JDBC:MARIADB://app:hunter2@127.0.0.1:1/db",
                "mariadb://app:hunter2@127.0.0.1:1/db",
                "postgres://app:hunter2@127.0.0.1:1/db",
                "app:hunter2@127.0.0.1:1/db",
                "//app:hunter2@127.0.0.1:1/db",
                "app%3Ahunter2%40127.0.0.1/db",
                "password=hunter2",
                "memory:?password=hunter2",
                "memory:?password=hun&ter2",
                "memory:?latency=password=hunter2",
                "sqlite:/nowhere/at/all.db?password=hunter2",
                "sqlite:/nowhere/at/all.db&password=hunter2",
                "sqlite:?password=hun&ter2=st4ple");
    }

    @ParameterizedTest
    @MethodSource("wrongUrls")
    void nothing_that_is_said_about_a_wrong_url_shows_its_password(String url) {
        List<String> shown = new ArrayList<>();
        try (OpenStore store = StoreDriver.open(url)) {
            shown.add(store.toString());
            store.describe("s");
        } catch (SequenceException e) {
            shown.add(String.valueOf(e.getMessage()));
            shown.add(trace(e));
        }
        shown.add(StoreUrl.redacted(url));
        shown.add(StoreUrl.scrub(url, "what a driver says of " + url));
        if (url.indexOf(':') > 0) {
            shown.add(StoreUrl.parse(url).toString());
            shown.add(StoreUrl.parse(url).redacted());
        }
        if (!url.contains("seriatim.tabel")) {
            shown.add(JdbcUrl.parse(url).toString());
            shown.add(JdbcUrl.parse(url).database());
        }
        shown.addAll(logged);
        for (String text : shown) {
            assertThat(text).doesNotContainIgnoringCase(PIECES);
        }
    }

    @ParameterizedTest
    @MethodSource("wrongUrls")
    void nothing_that_a_users_pool_says_about_its_wrong_url_shows_its_password(String url) {
        HikariConfig config = new HikariConfig();
        config.setInitializationFailTimeout(-1);
        config.setConnectionTimeout(250);
        DataSource source;
        try {
            config.setJdbcUrl(url);
            source = LoginTimeouts.keptFor(() -> new HikariDataSource(config));
        } catch (RuntimeException e) {
            return; // the message is not ours: there is no pool
        }
        try (HikariDataSource pool = (HikariDataSource) source) {
            assertThatThrownBy(() -> JdbcStore.open(pool).describe("s"))
                    .isInstanceOf(SequenceException.class)
                    .satisfies(e -> assertThat(String.valueOf(e.getMessage())).doesNotContainIgnoringCase("hunter2"));
        }
    }

    @Test
    void a_drivers_exception_keeps_its_state_its_code_and_where_it_came_from() {
        SQLException next = new SQLException("also hunter2", "08S01", 7);
        SQLException driver =
                new SQLException("port hunter2@host", "28000", 42, new IllegalArgumentException("hunter2"));
        driver.setNextException(next);
        driver.addSuppressed(new IllegalStateException("hunter2, too"));
        SQLException shown =
                JdbcUrl.parse("jdbc:mariadb://app:hunter2@host/db").scrubbing().of(driver);
        assertThat(shown.getMessage()).isEqualTo("port ***@host");
        assertThat(shown.getSQLState()).isEqualTo("28000");
        assertThat(shown.getErrorCode()).isEqualTo(42);
        assertThat(shown.getStackTrace()).isEqualTo(driver.getStackTrace());
        assertThat((Throwable) shown).hasToString("java.sql.SQLException: port ***@host");
        assertThat(shown.getCause()).hasToString("java.lang.IllegalArgumentException: ***");
        assertThat(shown.getNextException().getErrorCode()).isEqualTo(7);
        assertThat(trace(shown)).doesNotContain("hunter2");
        SQLException harmless = new SQLException("no secret here", "28000", 42);
        assertThat((Throwable) JdbcUrl.parse("jdbc:mariadb://app:hunter2@host/db")
                        .scrubbing()
                        .of(harmless))
                .isSameAs(harmless);
    }

    @Test
    void a_right_url_is_shown_with_its_host_its_port_and_its_database() {
        assertThat(StoreUrl.redacted("jdbc:postgresql://h1:5432,h2:5433/db?user=me@corp&password=x"))
                .isEqualTo("jdbc:postgresql://h1:5432,h2:5433/db");
        assertThat(StoreUrl.redacted("jdbc:mysql://h/db")).isEqualTo("jdbc:mysql://h/db");
        assertThat(StoreUrl.redacted("jdbc:postgresql://[::1]:5432/db?a=b"))
                .isEqualTo("jdbc:postgresql://[::1]:5432/db");
        assertThat(StoreUrl.redacted("jdbc:mariadb:sequential://h1:1,h2:2/db"))
                .isEqualTo("jdbc:mariadb:sequential://h1:1,h2:2/db");
        assertThat(StoreUrl.redacted("jdbc:h2:tcp://h:9092/~/x;USER=a@b")).isEqualTo("jdbc:h2:tcp://h:9092/~/x");
        assertThat(StoreUrl.redacted("sqlite:C:\\data\\my file.db?table=t")).isEqualTo("sqlite:C:\\data\\my file.db");
        assertThat(StoreUrl.redacted("couchbase://h:11210=kv,i/b?user=a")).isEqualTo("couchbase://h:11210=kv,i/b");
        assertThat(StoreUrl.redacted("spanner:projects/google.com:p/instances/i/databases/d"))
                .isEqualTo("spanner:projects/google.com:p/instances/i/databases/d");
    }

    @ParameterizedTest
    @MethodSource("engines")
    void messages_of_a_data_source_name_host_port_and_database_only(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        JdbcStore store = JdbcStore.open(database.dataSource());
        assertThatThrownBy(() -> store.reserve("none", 1))
                .isInstanceOf(SequenceException.NotFound.class)
                .hasMessageNotContainingAny("?", "user=", "password", "sslMode")
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(250));
    }

    static Stream<Engine> engines() {
        return Stream.of(Engine.POSTGRESQL, Engine.MARIADB, Engine.H2, Engine.SQLITE);
    }

    @Test
    void a_data_source_with_many_parameters_shows_none_of_them() throws SQLException, ReflectiveOperationException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        // By name: its type is in a module that is not read here.
        DataSource source = Class.forName("org.postgresql.ds.PGSimpleDataSource")
                .asSubclass(DataSource.class)
                .getDeclaredConstructor()
                .newInstance();
        source.getClass().getMethod("setUrl", String.class).invoke(source, database.url());
        JdbcStore store = JdbcStore.open(source);
        String place;
        try (Connection connection = source.getConnection()) {
            place = connection.getMetaData().getURL().replaceFirst("\\?.*", "");
        }
        assertThat(store).hasToString("PostgreSQL, table seriatim_sequence of " + place);
        assertThatThrownBy(() -> store.reserve("none", 1))
                .hasMessage("sequence 'none': not found in table seriatim_sequence of " + place
                        + "; check its name (list shows all sequences), or create it first");
    }

    @Test
    void what_is_quoted_in_a_message_is_cut() {
        String megabytes = "x".repeat(2_000_000);
        assertThatThrownBy(() -> StoreDriver.open(megabytes))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(2000));
        assertThatThrownBy(() -> StoreDriver.open("memory:?latency=" + megabytes))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(2000))
                .hasMessageContaining("must be a duration such as 10ms");
    }

    private static String trace(Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
