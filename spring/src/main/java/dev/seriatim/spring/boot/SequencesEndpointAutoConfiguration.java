// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.engine.TransactionalSequences;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** The actuator endpoint {@code sequences}. */
@AutoConfiguration(after = SeriatimAutoConfiguration.class)
@ConditionalOnClass(
        name = "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint")
@ConditionalOnSingleCandidate(TransactionalSequences.class)
@ConditionalOnAvailableEndpoint(SequencesEndpoint.class)
final class SequencesEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    SequencesEndpoint seriatimSequencesEndpoint(TransactionalSequences<?, ?> sequences) {
        return new SequencesEndpoint(sequences);
    }
}
