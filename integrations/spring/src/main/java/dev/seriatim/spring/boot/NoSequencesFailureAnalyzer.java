// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.Sequences;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Reports that a bean needs sequences and the application has none, and how to provide them. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class NoSequencesFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {

    private final Environment environment;
    private final ListableBeanFactory beans;

    NoSequencesFailureAnalyzer(Environment environment, BeanFactory beans) {
        this.environment = environment;
        this.beans = (ListableBeanFactory) beans;
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
        String place = injectionPoint == null ? "." : " for: " + injectionPoint + ".";
        String[] unqualified = names(type);
        return unqualified.length > 0
                ? new FailureAnalysis(
                        "Seriatim: no bean of type " + type.getName() + " has the qualifier" + place,
                        "Remove the qualifier, or name one of '" + String.join("', '", unqualified) + "'.",
                        failure)
                : new FailureAnalysis(
                        "Seriatim: there is no bean of type " + type.getName() + place, remedy(type), failure);
    }

    private String[] names(Class<?> type) {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false);
    }

    private String remedy(Class<?> needed) {
        String[] others = names(Sequences.class);
        if (others.length > 0) {
            Class<?> other = beans.getType(others[0], false);
            boolean named = other != null && !Proxy.isProxyClass(other);
            return "Inject " + (named ? ClassUtils.getUserClass(other) : Sequences.class).getName()
                    + ", the type of bean '" + others[0] + "', or define a bean of type " + needed.getName() + ".";
        }
        if ("false".equalsIgnoreCase(environment.getProperty("seriatim.enabled"))) {
            return "Set seriatim.enabled=true.";
        }
        if (names(SeriatimAutoConfiguration.class).length == 0) {
            return """
                    Add @ImportAutoConfiguration(SeriatimAutoConfiguration.class), which a test slice leaves out, or \
                    define a bean of that type.""";
        }
        // The value is not shown, since it may be a URL with a password.
        if (environment.containsProperty("seriatim.couchbase.bucket")) {
            return """
                    Inject dev.seriatim.Sequences, and add what is missing for seriatim.couchbase.bucket: a \
                    com.couchbase.client.java.Cluster bean or the dependency seriatim-couchbase; or remove that \
                    property to draw from a data source.""";
        }
        return """
                Define a data source or set seriatim.url (JdbcSequences); or set seriatim.couchbase.bucket, beside a \
                Couchbase cluster and seriatim-couchbase (StoreSequences); or define a Spanner client and a \
                DatabaseId, beside seriatim-spanner (SpannerSequences).""";
    }
}
