// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.engine.OpenSequence;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.micrometer.SequenceMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** What uses the sequences if the application has it: entity managers, meters, and the actuator. */
@AutoConfiguration(after = SeriatimAutoConfiguration.class)
final class SequenceUsersAutoConfiguration {

    /** Passes the sequences to Hibernate where Spring starts it. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean")
    @ConditionalOnProperty(name = "seriatim.enabled", matchIfMissing = true)
    @ConditionalOnSingleCandidate(JdbcSequences.class)
    static class EntityManagers {

        @Bean
        static BeanPostProcessor seriatimEntityManagers(
                ObjectProvider<SequenceDatabase> database, ObjectProvider<JdbcSequences> sequences) {
            return new EntityManagerSequences(database, sequences);
        }
    }

    /** A {@code MeterBinder}, which Boot binds to every registry, and a listener of the sequences. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {"dev.seriatim.micrometer.SequenceMetrics", "io.micrometer.core.instrument.binder.MeterBinder"})
    @ConditionalOnProperty(name = "seriatim.enabled", matchIfMissing = true)
    static class Meters {

        @Bean
        @ConditionalOnMissingBean
        SequenceMetrics seriatimMetrics() {
            return new SequenceMetrics();
        }

        @Bean
        SmartInitializingSingleton seriatimValuesInHand(
                SequenceMetrics metrics, ObjectProvider<StoreSequences> sequences) {
            return () -> sequences.ifUnique(open -> metrics.valuesInHand(name -> open.opened().stream()
                    .filter(each -> each.name().equals(name))
                    .mapToLong(OpenSequence::inHand)
                    .sum()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "io.micrometer.core.instrument.MeterRegistry")
    @ConditionalOnMissingClass("dev.seriatim.micrometer.SequenceMetrics")
    @ConditionalOnSingleCandidate(StoreSequences.class)
    static class NoMeters {

        @Bean
        static SmartInitializingSingleton seriatimMissingMeters(ObjectProvider<MeterRegistry> registries) {
            String advice = "for meters of the sequences, add the dependency dev.seriatim:seriatim-micrometer";
            System.Logger log = System.getLogger("dev.seriatim.spring");
            return () -> registries.stream().limit(1).forEach(any -> log.log(System.Logger.Level.INFO, advice));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint")
    @ConditionalOnSingleCandidate(StoreSequences.class)
    @ConditionalOnAvailableEndpoint(SequencesEndpoint.class)
    static class Endpoint {

        @Bean
        @ConditionalOnMissingBean
        SequencesEndpoint seriatimSequencesEndpoint(StoreSequences sequences) {
            return new SequencesEndpoint(sequences);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
    @ConditionalOnSingleCandidate(StoreSequences.class)
    @org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator("seriatim")
    static class HealthOnBoot3 {

        @Bean
        @ConditionalOnMissingBean(name = "seriatimHealthIndicator")
        org.springframework.boot.actuate.health.HealthIndicator seriatimHealthIndicator(
                StoreSequences sequences, Environment environment, ObjectProvider<FeedWatch> feeds) {
            StoreProbe probe =
                    new StoreProbe(sequences, SeriatimProperties.healthTimeout(environment), feeds.getIfAvailable());
            return () -> probe.ask((status, details) -> org.springframework.boot.actuate.health.Health.status(status)
                    .withDetails(details)
                    .build());
        }
    }

    /** The same on Boot 4, which has moved its types. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
    @ConditionalOnSingleCandidate(StoreSequences.class)
    @org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator("seriatim")
    static class HealthOnBoot4 {

        @Bean
        @ConditionalOnMissingBean(name = "seriatimHealthIndicator")
        org.springframework.boot.health.contributor.HealthIndicator seriatimHealthIndicator(
                StoreSequences sequences, Environment environment, ObjectProvider<FeedWatch> feeds) {
            StoreProbe probe =
                    new StoreProbe(sequences, SeriatimProperties.healthTimeout(environment), feeds.getIfAvailable());
            return () ->
                    probe.ask((status, details) -> org.springframework.boot.health.contributor.Health.status(status)
                            .withDetails(details)
                            .build());
        }
    }
}
