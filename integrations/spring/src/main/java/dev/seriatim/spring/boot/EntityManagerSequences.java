// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.hibernate.SeriatimSettings;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.spring.source.InnermostDataSource;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.hibernate.cfg.MultiTenancySettings;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;

/**
 * Passes the sequences to the entity managers of the same database, as the property {@code seriatim.sequences}. Entity
 * managers of another database get none: their transactions are not in the sequences' database. Nor do those whose
 * tenants have their own connections: each tenant has its own sequences.
 *
 * @param database the sequences' database; empty if the application has made the sequences
 * @param sequences the sequences
 */
record EntityManagerSequences(ObjectProvider<SequenceDatabase> database, ObjectProvider<JdbcSequences> sequences)
        implements BeanPostProcessor {

    private static final System.Logger LOG = System.getLogger("dev.seriatim.spring");

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof LocalContainerEntityManagerFactoryBean factory) {
            Map<String, Object> properties = factory.getJpaPropertyMap();
            if (!properties.containsKey(SeriatimSettings.SEQUENCES)
                    && !properties.containsKey(MultiTenancySettings.MULTI_TENANT_CONNECTION_PROVIDER)) {
                pass(properties, factory.getDataSource(), name);
            }
        }
        return bean;
    }

    private void pass(Map<String, Object> properties, @Nullable DataSource source, String name) {
        try {
            if (sharesDatabase(source, name)) {
                properties.put(SeriatimSettings.SEQUENCES, sequences.getObject());
            }
        } catch (BeansException e) {
            if (!(NestedExceptionUtils.getMostSpecificCause(e) instanceof BeanCurrentlyInCreationException)) {
                throw e;
            }
            LOG.log(System.Logger.Level.INFO, """
                    the entity managers of ''{0}'' number their rows with sequences of their own, since the \
                    application''s need them first""", name);
        }
    }

    private boolean sharesDatabase(@Nullable DataSource source, String name) {
        if (source == null) {
            return false;
        }
        DataSource innermost = InnermostDataSource.of(source);
        SequenceDatabase ours = database.getIfAvailable();
        if (ours != null && ours.application() != null) {
            DataSource chosen = InnermostDataSource.of(ours.application());
            if (innermost instanceof AbstractRoutingDataSource routing) {
                return routing.getResolvedDataSources().values().stream() // such as the writer beside its replicas
                        .anyMatch(each -> InnermostDataSource.of(each) == chosen);
            }
            if (innermost != chosen) {
                return false;
            }
            if (innermost == source) {
                return true;
            }
        }
        String why = innermost instanceof AbstractRoutingDataSource
                ? "their data source leads to several databases"
                : whyNotThere(source);
        if (why != null) {
            LOG.log(System.Logger.Level.INFO, """
                    the entity managers of ''{0}'' number their rows with sequences of their own, not with {1}: \
                    {2}""", name, sequences.getObject(), why);
        }
        return why == null;
    }

    /** Returns why the sequences may be elsewhere than the data source's tables; null if they are in the same place. */
    private @Nullable String whyNotThere(DataSource source) {
        JdbcSequences ours = sequences.getObject();
        try {
            String place = SequenceConnections.place(source);
            boolean same = place != null
                    && ours.<Boolean, SQLException>inTransaction(own -> place.equals(SequenceConnections.place(own)));
            return same ? null : "the URL or the schema differs";
        } catch (SQLException | RuntimeException unreachable) {
            return "a database does not answer"; // its users report why
        }
    }
}
