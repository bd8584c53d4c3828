// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.engine.StoreSequences;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** The health indicator {@code seriatim} on Spring Boot 3. */
@AutoConfiguration(
        after = {
            SeriatimAutoConfiguration.class,
            CouchbaseSequencesAutoConfiguration.class,
            SpannerSequencesAutoConfiguration.class
        })
@ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
@ConditionalOnSingleCandidate(StoreSequences.class)
@ConditionalOnEnabledHealthIndicator("seriatim")
final class HealthOnBoot3AutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "seriatimHealthIndicator")
    HealthIndicator seriatimHealthIndicator(StoreSequences sequences, Environment environment) {
        StoreProbe probe = new StoreProbe(sequences, SeriatimProperties.healthTimeout(environment));
        return () -> {
            StoreProbe.Answer answer = probe.ask();
            return Health.status(answer.status()).withDetails(answer.details()).build();
        };
    }
}
