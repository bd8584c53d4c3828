// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.engine.OpenSequence;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.micrometer.SequenceMetrics;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/**
 * The meters of the sequences. They are a {@code MeterBinder}, which Boot binds to every registry, and a listener of
 * the sequences.
 */
@AutoConfiguration(before = SeriatimAutoConfiguration.class)
@ConditionalOnClass(
        name = {"dev.seriatim.micrometer.SequenceMetrics", "io.micrometer.core.instrument.binder.MeterBinder"})
@ConditionalOnProperty(name = "seriatim.enabled", matchIfMissing = true)
final class MetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    SequenceMetrics seriatimMetrics() {
        return new SequenceMetrics();
    }

    @Bean
    SmartInitializingSingleton seriatimValuesInHand(SequenceMetrics metrics, ObjectProvider<StoreSequences> sequences) {
        return () -> sequences.ifUnique(open -> metrics.valuesInHand(name -> open.opened().stream()
                .filter(each -> each.name().equals(name))
                .mapToLong(OpenSequence::inHand)
                .sum()));
    }
}
