// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.engine.TransactionalSequences;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** The health indicator {@code seriatim} on Spring Boot 3. */
@AutoConfiguration(after = SeriatimAutoConfiguration.class)
@ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
@ConditionalOnSingleCandidate(TransactionalSequences.class)
@ConditionalOnEnabledHealthIndicator("seriatim")
final class HealthOnBoot3AutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "seriatimHealthIndicator")
    HealthIndicator seriatimHealthIndicator(
            TransactionalSequences<?, ?> sequences, ObjectProvider<SeriatimProperties> properties) {
        StoreProbe probe = SeriatimProperties.probe(sequences, properties.getIfAvailable());
        return () -> {
            StoreProbe.Answer answer = probe.ask();
            return (answer.problem() == null ? Health.up() : Health.down())
                    .withDetails(answer.details())
                    .build();
        };
    }
}
