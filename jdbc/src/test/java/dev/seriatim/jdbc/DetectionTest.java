// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.postgres.PostgresDialect;
import dev.seriatim.jdbc.sql.EngineFamily;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.SequenceTable;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each engine is detected by how it identifies itself, and every other is refused: a guess could deal a number twice.
 */
class DetectionTest {

    private static final String POSTGRESQL = "SELECT pg_catalog.version()";
    private static final String MYSQL = "SELECT CONCAT(VERSION(), ' ', @@version_comment)";

    /** A real connection whose server claims to be another product. */
    private record Disguise(
            Connection real,
            String question,
            @Nullable String answer,
            @Nullable String product) {

        Connection connection() {
            return DriverProxy.of(Connection.class, (self, method, arguments) -> {
                if (method.getName().equals("prepareStatement") && question.equals(arguments[0])) {
                    return real.prepareStatement("SELECT '" + answer + "'");
                }
                return method.getName().equals("getMetaData") ? metaData() : method.invoke(real, arguments);
            });
        }

        private DatabaseMetaData metaData() throws SQLException {
            DatabaseMetaData metaData = real.getMetaData();
            boolean renamed = question.isEmpty();
            return DriverProxy.of(
                    DatabaseMetaData.class,
                    (self, method, arguments) -> renamed && method.getName().equals("getDatabaseProductName")
                            ? product
                            : method.invoke(metaData, arguments));
        }
    }

    private static String detected(Engine engine, String question, String answer) throws SQLException {
        try (Connection connection = engine.freshDatabase().connect()) {
            return Dialects.of(new Disguise(connection, question, answer, null).connection())
                    .product();
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void every_engine_we_test_on_is_known_by_its_name(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        try (Connection connection = database.connect()) {
            assertThat(Dialects.of(connection).product())
                    .startsWith(engine == Engine.GALERA ? "MariaDB Galera cluster" : engine.title());
        }
    }

    @Test
    void a_server_that_answers_itself_is_no_pooler() throws SQLException {
        try (Connection connection = Engine.POSTGRESQL.freshDatabase().connect()) {
            assertThat(Dialects.of(connection)).isEqualTo(new PostgresDialect(false));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            PostgreSQL 11.22 (Debian 11.22-0+deb10u2) on x86_64-pc-linux-gnu, compiled by gcc | PostgreSQL
            PostgreSQL 18.1 on aarch64-unknown-linux-gnu, compiled by gcc | PostgreSQL
            PostgreSQL 16 | PostgreSQL
            """)
    void those_that_speak_as_postgresql_does_are_told_apart(String version, String product) throws SQLException {
        assertThat(detected(Engine.POSTGRESQL, POSTGRESQL, version)).isEqualTo(product);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PostgreSQL 10.23 on x86_64-pc-linux-gnu",
                "PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc (GCC) 3.4.2, Redshift 1.0.63269",
                "PostgreSQL 12.12 (Greenplum Database 7.0.0 build commit:1) on x86_64-pc-linux-gnu",
                "PostgreSQL 9.5.0 on x86_64-unknown-linux-gnu (Materialize v0.84.2)",
                "PostgreSQL 13.14.0-RisingWave-1.10.0 (abc)",
                "PostgreSQL 12.3, compiled by Visual C++ build 1914, 64-bit, QuestDB",
                "CockroachDB CCL v24.1.0 (x86_64-pc-linux-gnu, built 2024/05/15, go1.22)",
                "PostgreSQL 11.2-YB-2.20.1.0-b0 on x86_64-pc-linux-gnu, compiled by clang",
                "PostgreSQL 15.2-YB-2025.1.0.0-b0 on x86_64-pc-linux-gnu",
                "EnterpriseDB 9.3.4.10",
                "Something else",
                ""
            })
    void one_that_only_speaks_as_postgresql_does_is_refused(String version) {
        Engine.POSTGRESQL.assume(); // outside: inside, a skipped test would count as the refusal
        assertThatThrownBy(() -> detected(Engine.POSTGRESQL, POSTGRESQL, version))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("not supported; supported: SQLite");
    }

    @Test
    void only_spanner_takes_a_schema_in_a_tables_name() throws SQLException {
        Database database = Engine.SQLITE.freshDatabase();
        assertThatThrownBy(() -> JdbcStore.open(database.dataSource(), SequenceTable.own("acme.numbers")))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("'acme.numbers' names a schema, which SQLite takes from the connection");
    }

    /** An imitation: PGAdapter 0.55 before the emulator reports this version and has this schema. */
    @Test
    void spanner_behind_pgadapter_is_refused() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE SCHEMA spanner_sys");
        try (Connection connection = database.connect()) {
            assertThatThrownBy(() ->
                            Dialects.of(new Disguise(connection, POSTGRESQL, "PostgreSQL 14.1", null).connection()))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("PGAdapter", "jdbc:cloudspanner:");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            10.6.12-MariaDB-log MariaDB Server | MariaDB
            5.5.5-10.11.6-MariaDB-1:10.11.6 mariadb.org binary distribution | MariaDB
            11.8.2-MariaDB MariaDB Server | MariaDB
            8.0.36 MySQL Community Server - GPL | MySQL
            9.5.0 MySQL Community Server - GPL | MySQL
            8.0.35-27 Percona Server (GPL), Release 27 | MySQL
            """)
    void those_that_speak_as_mysql_does_are_told_apart(String version, String product) throws SQLException {
        assertThat(detected(Engine.MARIADB, MYSQL, version)).isEqualTo(product);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5.7.44 MySQL Community Server (GPL)",
                "5.5.68-MariaDB MariaDB Server",
                "8.0.11-TiDB-v7.5.0 TiDB Server (Apache License 2.0) Community Edition, MySQL 8.0 compatible",
                "8.0.30-Vitess Version: 18.0.0",
                "8.0.34-PlanetScale PlanetScale",
                "5.7.32 SingleStoreDB source distribution (compatible; MySQL Enterprise & MySQL Commercial)",
                "8.0.31 MemSQL",
                "8.0.25-OceanBase-v4.2.1.0 OceanBase 4.2.1.0",
                "8.1.0 Doris version doris-2.1.0",
                "8.0.33 StarRocks version 3.2",
                ""
            })
    void one_that_only_speaks_as_mysql_does_is_refused(String version) {
        Engine.MARIADB.assume(); // outside: inside, a skipped test would count as the refusal
        assertThatThrownBy(() -> detected(Engine.MARIADB, MYSQL, version))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("not supported; supported: SQLite");
    }

    @Test
    void refuses_MySqls_driver_on_MariaDb() throws SQLException {
        Database mariaDb = Engine.MARIADB.freshDatabase();
        Database other = new Database(
                mariaDb.server().replace("jdbc:mariadb:", "jdbc:mysql:"),
                mariaDb.name(),
                Map.of("sslMode", "DISABLED"),
                mariaDb.user(),
                mariaDb.password());
        assertThatThrownBy(() -> JdbcStore.open(other.dataSource()))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("jdbc:mariadb:");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "Oracle",
                "DB2/LINUXX8664",
                "HSQL Database Engine",
                "Apache Derby",
                "Firebird 5.0",
                "Google Cloud Spanner Cassandra",
                "PostgreSQL compatible",
                ""
            })
    void any_other_product_is_refused_by_its_name(@Nullable String product) throws SQLException {
        Database database = Engine.SQLITE.freshDatabase();
        DataSource renamed = DriverProxy.of(DataSource.class, (self, method, arguments) -> {
            Object result = method.invoke(database.dataSource(), arguments);
            return result instanceof Connection c ? new Disguise(c, "", null, product).connection() : result;
        });
        assertThatThrownBy(() -> JdbcStore.open(renamed))
                .isInstanceOf(Misconfigured.class)
                .hasMessage("database '" + product + "' is not supported; supported: " + EngineFamily.SUPPORTED);
        assertThatThrownBy(() -> NativeSequences.open(renamed)).isInstanceOf(Misconfigured.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PostgreSQL 16", "PostgreSQL 16.13 on x86_64-pc-linux-gnu"})
    void aurora_dsql_is_known_by_its_catalogue_of_jobs(String version) throws SQLException {
        try (Connection connection = DsqlLike.create().connect()) {
            assertThat(Dialects.of(new Disguise(connection, POSTGRESQL, version, null).connection())
                            .product())
                    .startsWith("Aurora DSQL");
        }
    }
}
