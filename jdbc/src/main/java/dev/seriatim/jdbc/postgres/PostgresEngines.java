// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.EngineFamily;
import dev.seriatim.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Detects the engines that speak PostgreSQL's protocol. All of them report the product name PostgreSQL. */
public record PostgresEngines() implements EngineFamily {

    private static final int OLDEST = 11;
    private static final Pattern GENUINE = Pattern.compile("PostgreSQL (\\d+)(?:[. ].*)?", Pattern.DOTALL);
    private static final Pattern DERIVED =
            Pattern.compile("(?i)-yb-|redshift|greenplum|materialize|risingwave|questdb");

    /** Only Aurora DSQL has a catalogue of asynchronous jobs. */
    private static final String JOBS_OF_DSQL = "SELECT CAST(c.relowner AS pg_catalog.text) FROM pg_catalog.pg_class c"
            + " JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace"
            + " WHERE n.nspname OPERATOR(pg_catalog.=) 'sys'::pg_catalog.name"
            + " AND c.relname OPERATOR(pg_catalog.=) 'jobs'::pg_catalog.name";

    /** Spanner's PGAdapter reports PostgreSQL 14.1, without a machine. */
    private static final String NAMESPACES = "SELECT n.nspname FROM pg_catalog.pg_namespace n";

    private static final String SUPERUSER = "SELECT r.rolname FROM pg_catalog.pg_roles r WHERE r.rolsuper"
            + " AND CAST(r.oid AS pg_catalog.text) OPERATOR(pg_catalog.=) CAST(? AS pg_catalog.text)";

    @Override
    public boolean introducedAs(String product) {
        return product.equals("postgresql");
    }

    @Override
    public Dialect dialect(Connection connection) throws SQLException {
        String version = Sql.read(connection, "SELECT pg_catalog.version()").orElse("");
        Matcher genuine = GENUINE.matcher(version);
        if (!genuine.matches() || DERIVED.matcher(version).find()) {
            throw EngineFamily.unknown(version);
        }
        if (!version.contains(" on ") && Sql.all(connection, NAMESPACES).contains("spanner_sys")) {
            throw new Misconfigured(
                    "Spanner through PGAdapter is not supported; use Google's driver (jdbc:cloudspanner:)");
        }
        if (isDsql(connection, version)) {
            return new DsqlDialect();
        }
        if (Integer.parseInt(genuine.group(1)) < OLDEST) {
            throw EngineFamily.unknown("PostgreSQL " + genuine.group(1) + ", older than " + OLDEST);
        }
        String session =
                Sql.read(connection, "SELECT pg_catalog.pg_backend_pid()").orElse("");
        boolean pooled = DriverConnection.of(connection)
                .filter(driver -> !session.equals(Integer.toString(driver.process())))
                .isPresent();
        return new PostgresDialect(pooled);
    }

    /** Where the version names a machine, the catalogue must be a superuser's: another role could create one. */
    private static boolean isDsql(Connection connection, String version) throws SQLException {
        Optional<String> owner = Sql.read(connection, JOBS_OF_DSQL);
        return owner.isPresent()
                && (!version.contains(" on ")
                        || Sql.read(connection, SUPERUSER, owner.get()).isPresent());
    }

    @Override
    public boolean begunInText(Connection connection) throws SQLException {
        return EngineFamily.refusesReadOnly(connection);
    }

    /** {@inheritDoc} Behind a pooler that lends a session for a transaction, another session does not know a named statement. */
    @Override
    public Map<String, String> existing(String driverUrl, boolean readOnly) {
        return driverUrl.startsWith("jdbc:postgresql:") ? Map.of("prepareThreshold", "0") : Map.of();
    }
}
