// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.Sequences;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Reports that something needs sequences and the application has none, with what it would get them from. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class NoSequencesFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {

    private final Environment environment;

    NoSequencesFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(
            Throwable failure, NoSuchBeanDefinitionException cause, @Nullable String injectionPoint) {
        Class<?> type = cause.getBeanType();
        if (cause instanceof NoUniqueBeanDefinitionException
                || type == null
                || !Sequences.class.isAssignableFrom(type)) {
            return null;
        }
        boolean enabled = environment.getProperty("seriatim.enabled", Boolean.class, true);
        return new FailureAnalysis(
                "Seriatim: there is no bean of type " + type.getName()
                        + (injectionPoint == null ? "." : " for: " + injectionPoint + "."),
                enabled
                        ? "Define a data source or set seriatim.url (JdbcSequences); or set seriatim.couchbase.bucket, beside a Couchbase"
                                + " cluster and seriatim-couchbase (StoreSequences); or define a Spanner client and a DatabaseId, beside"
                                + " seriatim-spanner (SpannerSequences)."
                        : "Set seriatim.enabled=true.",
                failure);
    }
}
