// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.hibernate.SeriatimSettings;
import dev.seriatim.jdbc.JdbcSequences;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;

/**
 * Passes the sequences to the entity managers of the same data source, as the property {@code seriatim.sequences}.
 * Those of another data source get none, since their transactions would not be in the sequences' database.
 *
 * @param database the sequences' database
 * @param sequences the sequences
 */
record EntityManagerSequences(ObjectProvider<SequenceDatabase> database, ObjectProvider<JdbcSequences> sequences)
        implements BeanPostProcessor {

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof LocalContainerEntityManagerFactoryBean factory
                && !factory.getJpaPropertyMap().containsKey(SeriatimSettings.SEQUENCES)
                && sharesDatabase(factory.getDataSource())) {
            factory.getJpaPropertyMap().put(SeriatimSettings.SEQUENCES, sequences.getObject());
        }
        return bean;
    }

    private boolean sharesDatabase(DataSource source) {
        DataSource ours = database.getObject().application();
        return ours == null || ours == source;
    }
}
