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
        return new FailureAnalysis(
                "Seriatim: there is no bean of type " + type.getName()
                        + (injectionPoint == null ? "." : " for: " + injectionPoint + "."),
                remedy(),
                failure);
    }

    private String remedy() {
        if (!environment.getProperty("seriatim.enabled", Boolean.class, true)) {
            return "Set seriatim.enabled=true.";
        }
        String bucket = environment.getProperty("seriatim.couchbase.bucket");
        if (bucket != null) {
            return "Inject dev.seriatim.Sequences, and add what is missing for seriatim.couchbase.bucket=" + bucket
                    + ": a com.couchbase.client.java.Cluster bean or the dependency seriatim-couchbase; or remove that property to"
                    + " draw from a data source.";
        }
        return "Define a data source or set seriatim.url (JdbcSequences); or set seriatim.couchbase.bucket, beside a Couchbase"
                + " cluster and seriatim-couchbase (StoreSequences); or define a Spanner client and a DatabaseId, beside"
                + " seriatim-spanner (SpannerSequences).";
    }
}
