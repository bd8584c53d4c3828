// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.jdbc.JdbcSequences;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** Passes the sequences to Hibernate where Spring starts it. */
@AutoConfiguration(after = SeriatimAutoConfiguration.class)
@ConditionalOnClass(name = "org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean")
@ConditionalOnProperty(name = "seriatim.enabled", matchIfMissing = true)
@ConditionalOnSingleCandidate(JdbcSequences.class)
final class EntityManagerAutoConfiguration {

    @Bean
    static BeanPostProcessor seriatimEntityManagers(
            ObjectProvider<SequenceDatabase> database, ObjectProvider<JdbcSequences> sequences) {
        return new EntityManagerSequences(database, sequences);
    }
}
