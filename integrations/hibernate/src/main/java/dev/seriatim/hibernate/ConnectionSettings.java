// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.jdbc.JdbcStore;
import java.sql.DriverManager;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.engine.jdbc.connections.internal.ConnectionProviderInitiator;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.service.ServiceRegistry;

/** Chooses the connections on which numbers are drawn outside the sessions' transactions. */
final class ConnectionSettings {

    private static final String OURS = "seriatim.";

    private ConnectionSettings() {}

    /** Refuses a misspelt setting. Hibernate adds the JVM's system properties, which may be for others. */
    static void refuseUnknown(Map<String, Object> settings) {
        Set<String> unknown = new TreeSet<>(settings.keySet());
        unknown.removeIf(name -> !name.startsWith(OURS)
                || name.equals(SeriatimSettings.SEQUENCES)
                || System.getProperties().containsKey(name));
        if (!unknown.isEmpty()) {
            throw new SequenceException.Misconfigured("unknown setting " + String.join(", ", unknown)
                    + " of the session factory; the only one is " + SeriatimSettings.SEQUENCES);
        }
    }

    static JdbcSequences open(Map<String, Object> settings, ServiceRegistry registry) {
        ConnectionProvider provider = registry.getService(ConnectionProvider.class);
        // Hibernate prefers a data source, too, if there is also a URL.
        if (provider != null && provider.isUnwrappableAs(DataSource.class)) {
            DataSource source = provider.unwrap(DataSource.class);
            if (JdbcStore.routes(
                    source)) { // the kept connections would all lead to the tenant that was current at the start
                throw new SequenceException.Misconfigured("""
                        the session factory's data source chooses a database for each call, but numbers are drawn on \
                        kept connections; use a MultiTenantConnectionProvider, or, if all databases are replicas of \
                        one, set %s to the JdbcSequences of that one (seriatim.data-source in Spring \
                        Boot)""".formatted(SeriatimSettings.SEQUENCES));
            }
            return keeping(hasAccount(settings) ? SuppliedDataSource.of(provider) : source);
        }
        Object url =
                settings.getOrDefault(AvailableSettings.JAKARTA_JDBC_URL, settings.get("hibernate.connection.url"));
        if (url != null) {
            Properties properties = properties(settings);
            return keeping(SuppliedDataSource.of(() -> DriverManager.getConnection(url.toString(), properties)));
        }
        if (provider == null) {
            throw new SequenceException.Misconfigured("the session factory has no connection provider; set "
                    + AvailableSettings.JAKARTA_JDBC_URL + " or " + SeriatimSettings.SEQUENCES);
        }
        return keeping(SuppliedDataSource.of(provider));
    }

    /** With an account, the provider requests connections of it; a pool with its own account refuses that. */
    private static boolean hasAccount(Map<String, Object> settings) {
        return settings.get("hibernate.connection.datasource") != null
                && (settings.get("hibernate.connection.username") != null
                        || settings.get("hibernate.connection.password") != null);
    }

    private static JdbcSequences keeping(DataSource source) {
        return JdbcSequences.open(source, ConnectionSettings::settings);
    }

    /** Borrows a connection for each reservation: there may be as many tenants as there are connections in all. */
    static JdbcSequences borrowing(DataSource tenants) {
        return JdbcSequences.borrowing(tenants, ConnectionSettings::settings);
    }

    private static void settings(StoreSequences.Builder builder) {
        builder.createMissing(false).giveBackOnClose(true);
    }

    /** Returns the account, and what Hibernate's own pool passes to the driver: hibernate.connection.NAME. */
    private static Properties properties(Map<String, Object> settings) {
        Properties properties = ConnectionProviderInitiator.getConnectionProperties(settings);
        Map.of("user", AvailableSettings.JAKARTA_JDBC_USER, "password", AvailableSettings.JAKARTA_JDBC_PASSWORD)
                .forEach((name, setting) -> {
                    if (settings.get(setting) != null) {
                        properties.setProperty(name, settings.get(setting).toString());
                    }
                });
        return properties;
    }
}
