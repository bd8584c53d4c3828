// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.DurabilityCheck;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.jdbc.JdbcUrl;
import dev.seriatim.spring.source.InnermostDataSource;
import dev.seriatim.store.SequenceTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.util.ClassUtils;

/**
 * The sequences' connections: their own to the same database, or the application's.
 * Thread-safe.
 *
 * @param source the data source
 * @param kept how many connections the store keeps at most; 0 if it borrows one for each reservation
 */
record SequenceConnections(DataSource source, int kept) {

    private static final System.Logger LOG = System.getLogger("dev.seriatim.spring");
    private static final boolean SPRING_JDBC = isPresent("org.springframework.jdbc.datasource.DelegatingDataSource");
    private static final boolean BOOT_JDBC =
            SPRING_JDBC && isPresent("org.springframework.boot.jdbc.DataSourceBuilder");
    private static final boolean HIKARI = isPresent("com.zaxxer.hikari.HikariDataSource");

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, SequenceConnections.class.getClassLoader());
    }

    /**
     * Returns the sequences' connections.
     *
     * @param name the name of the application's data source
     * @param own the maximum number of connections beside the application's; 0 for none
     */
    static SequenceConnections to(String name, DataSource application, int own) {
        DataSource target = SPRING_JDBC ? target(name, application) : application;
        if (own == 0) {
            return new SequenceConnections(target, 0);
        }
        HikariDataSource pool =
                HIKARI ? DataSourceUnwrapper.unwrap(target, HikariConfigMXBean.class, HikariDataSource.class) : null;
        if (pool != null) {
            return isPrivate(pool) ? lending(name, target) : new SequenceConnections(pool, own);
        }
        DataSource derived = BOOT_JDBC ? unpooled(target) : null;
        if (derived == null) {
            LOG.log(System.Logger.Level.INFO, """
                    the sequences keep a connection of the pool of data source ''{0}'', since none can be opened \
                    outside that pool, a {1}; give it one connection more than callers need, two if units of work draw other numbers, or set \
                    seriatim.connections=application""", name, target.getClass().getName());
            return new SequenceConnections(target, 1);
        }
        return reach(derived, target) ? new SequenceConnections(derived, own) : lending(name, target);
    }

    private static boolean isPrivate(HikariDataSource pool) {
        return Stream.concat(Stream.ofNullable(pool.getJdbcUrl()), pool.getDataSourceProperties().values().stream())
                .anyMatch(value -> JdbcUrl.isPrivate(value.toString()));
    }

    /** Looks below Spring's wrappers: those that join a caller's transaction must not run the sequences' own. */
    private static DataSource target(String name, DataSource application) {
        DataSource target = InnermostDataSource.of(application);
        if (target instanceof AbstractRoutingDataSource) {
            throw new Misconfigured("""
                    data source '%s' leads to several databases, and a sequence must stay in one; set \
                    seriatim.data-source to one of the data sources behind it""".formatted(name));
        }
        return target;
    }

    private static @Nullable DataSource unpooled(DataSource target) {
        try {
            return DataSourceBuilder.derivedFrom(target)
                    .type(SimpleDriverDataSource.class)
                    .build();
        } catch (RuntimeException notDerivable) {
            LOG.log(System.Logger.Level.DEBUG, "no data source can be derived", notDerivable);
            return null;
        }
    }

    /**
     * Returns whether new connections reach the same tables as the application's: a derived data source has only the
     * URL and the account. If the database does not answer, opening the store reports it.
     */
    private static boolean reach(DataSource derived, DataSource target) {
        try (Connection connection = derived.getConnection()) {
            String place = place(connection);
            return place != null && place.equals(place(target));
        } catch (SQLException unreachable) {
            return true;
        }
    }

    /**
     * Identifies the place of a data source's tables by database and schema; null if only that connection sees them.
     */
    static @Nullable String place(DataSource target) throws SQLException {
        try (Connection connection = target.getConnection()) {
            return place(connection);
        }
    }

    /** Identifies the place of a connection's tables. */
    static @Nullable String place(Connection connection) throws SQLException {
        String url = connection.getMetaData().getURL();
        if (url == null || JdbcUrl.isPrivate(url)) {
            return null;
        }
        // Options other than the account stay, since some say where the server is.
        String server =
                url.replaceAll("(?<=[?&])(user|password)=[^&]*(&|$)", "").replaceFirst("[?&]$", "");
        return server + "\n" + connection.getCatalog() + "\n" + connection.getSchema();
    }

    private static SequenceConnections lending(String name, DataSource target) {
        LOG.log(System.Logger.Level.INFO, """
                the sequences draw from the pool of data source ''{0}'', not from connections of their own, which \
                would reach another database or schema; leave more connections in the pool than callers hold while \
                they wait for a number""", name);
        return new SequenceConnections(target, 0);
    }

    /** Opens the store that takes its connections here. */
    JdbcStore store(SequenceTable table, Duration patience) {
        return kept == 0
                ? JdbcStore.open(source, table, DurabilityCheck.REQUIRED, patience)
                : JdbcStore.keeping(source, kept, table, DurabilityCheck.REQUIRED, patience);
    }
}
