// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.engine.StoreSequences;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** The actuator endpoint {@code sequences}. */
@AutoConfiguration(
        after = {
            SeriatimAutoConfiguration.class,
            CouchbaseSequencesAutoConfiguration.class,
            SpannerSequencesAutoConfiguration.class
        })
@ConditionalOnClass(
        name = "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint")
@ConditionalOnSingleCandidate(StoreSequences.class)
@ConditionalOnAvailableEndpoint(SequencesEndpoint.class)
final class SequencesEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    SequencesEndpoint seriatimSequencesEndpoint(StoreSequences sequences) {
        return new SequencesEndpoint(sequences);
    }
}
