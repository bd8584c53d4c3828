// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitializationDetector;
import org.springframework.core.env.Environment;

/**
 * Opens the sequences and feeds after Flyway, Liquibase and SQL scripts, which may create their tables. Not if scripts are deferred
 * until Hibernate has started, since Hibernate needs the sequences to start.
 */
final class SequencesAfterMigrations implements DependsOnDatabaseInitializationDetector {

    private final Environment environment;

    SequencesAfterMigrations(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Set<String> detect(ConfigurableListableBeanFactory beans) {
        boolean deferred = environment.getProperty("spring.jpa.defer-datasource-initialization", Boolean.class, false);
        return Stream.of(SeriatimAutoConfiguration.SEQUENCES, FeedsAutoConfiguration.FEEDS)
                .filter(bean -> beans.containsBeanDefinition(bean) && !deferred)
                .collect(Collectors.toSet());
    }
}
