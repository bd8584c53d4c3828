// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.DurabilityCheck;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.table.SequenceTable;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.util.ClassUtils;

/**
 * Where the sequences take their connections from: a data source of their own, to the same database as the
 * application's, or the application's. Thread-safe.
 *
 * @param source the data source
 * @param own the maximum number of connections; 0 if the source is the application's
 * @param kept how many connections the store takes at most and keeps; 0 if it borrows one for each reservation
 * @param onClose closes the source, unless it is the application's
 */
record SequenceConnections(DataSource source, int own, int kept, Runnable onClose) implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.seriatim.spring");
    private static final boolean SPRING_JDBC = isPresent("org.springframework.jdbc.datasource.DelegatingDataSource");
    private static final boolean BOOT_JDBC =
            SPRING_JDBC && isPresent("org.springframework.boot.jdbc.DataSourceBuilder");
    private static final boolean HIKARI = isPresent("com.zaxxer.hikari.HikariDataSource");

    /** URLs of which each connection opens another, empty database, which ends with it. */
    private static final Pattern PRIVATE =
            Pattern.compile("jdbc:h2:mem:(;.*)?|jdbc:sqlite:(\\?.*)?|jdbc:sqlite:(file:)?:memory:.*");

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
        SequenceConnections applications = new SequenceConnections(target, 0, 0, () -> {});
        if (own == 0) {
            return applications;
        }
        SequenceConnections derived = HIKARI ? OwnPool.like(target, own) : null;
        if (derived == null && BOOT_JDBC) {
            derived = unpooled(target, own);
        }
        if (derived == null) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "the sequences keep a connection of the pool of data source ''{0}'', since none can be opened beside a {1}; leave"
                            + " it one more than callers need, or set seriatim.connections=application",
                    name,
                    target.getClass().getName());
            return new SequenceConnections(target, 0, 1, () -> {});
        }
        if (!reach(derived, target)) {
            derived.close();
            return applications.instead(name, "they would reach another database or schema");
        }
        return derived;
    }

    /** Looks below Spring's wrappers: those that join a caller's transaction must not run the sequences' own. */
    private static DataSource target(String name, DataSource application) {
        DataSource target = application;
        while (target instanceof DelegatingDataSource wrapper && wrapper.getTargetDataSource() != null) {
            target = Objects.requireNonNull(wrapper.getTargetDataSource());
        }
        if (target instanceof AbstractRoutingDataSource) {
            throw new Misconfigured("data source '" + name
                    + "' leads to several databases, and a sequence must stay in one; set seriatim.data-source to one of the"
                    + " data sources behind it");
        }
        return target;
    }

    private static @Nullable SequenceConnections unpooled(DataSource target, int own) {
        try {
            DataSource source = DataSourceBuilder.derivedFrom(target)
                    .type(SimpleDriverDataSource.class)
                    .build();
            return new SequenceConnections(source, own, own, () -> {});
        } catch (RuntimeException notDerivable) {
            LOG.log(System.Logger.Level.DEBUG, "no data source can be derived", notDerivable);
            return null;
        }
    }

    /**
     * Whether new connections see what the application's see. What cannot be found out now is reported when the store is
     * opened.
     */
    private static boolean reach(SequenceConnections derived, DataSource target) {
        try (Connection connection = derived.source.getConnection()) {
            DatabaseMetaData ours = connection.getMetaData();
            String url = ours.getURL();
            if (url != null && PRIVATE.matcher(url).matches()) {
                return false;
            }
            // A pool's copy has all its settings; what is derived has no more than the URL and the account.
            return !(derived.source instanceof SimpleDriverDataSource)
                    || place(connection).equals(place(target));
        } catch (SQLException unreachable) {
            return true;
        }
    }

    private static String place(DataSource target) throws SQLException {
        try (Connection connection = target.getConnection()) {
            return place(connection);
        }
    }

    private static String place(Connection connection) throws SQLException {
        return connection.getMetaData().getURL() + "\n" + connection.getCatalog() + "\n" + connection.getSchema();
    }

    private SequenceConnections instead(String name, String why) {
        LOG.log(
                System.Logger.Level.INFO,
                "the sequences draw from the pool of data source ''{0}'', not from connections of their own: {1}; leave more"
                        + " connections in the pool than callers hold while they wait for a number",
                name,
                why);
        return this;
    }

    /** Opens the store that takes its connections here; the caller closes it first. */
    JdbcStore store(SequenceTable table) {
        return kept == 0
                ? JdbcStore.open(source, table)
                : JdbcStore.keeping(source, kept, table, DurabilityCheck.REQUIRED);
    }

    @Override
    public void close() {
        onClose.run();
    }
}
