// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.Origin;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Reports a property {@code seriatim.*} that is unknown, or whose value is not of its type. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class PropertyFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

    private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("seriatim");

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable failure, BindException cause) {
        if (!OURS.equals(cause.getName()) && !OURS.isAncestorOf(cause.getName())) {
            return null;
        }
        UnboundConfigurationPropertiesException unknown =
                findCause(cause, UnboundConfigurationPropertiesException.class);
        if (unknown != null) {
            String names = unknown.getUnboundProperties().stream()
                    .map(property -> property.getName() + from(property))
                    .sorted()
                    .collect(Collectors.joining(", "));
            return new FailureAnalysis(
                    "Seriatim: unknown property " + names + ".", "Correct its name or remove it.", failure);
        }
        ConfigurationProperty property = cause.getProperty();
        if (property == null) {
            return null;
        }
        Class<?> type = cause.getTarget().getType().resolve(Object.class);
        return new FailureAnalysis(
                "Seriatim: " + property.getName() + "=" + property.getValue() + from(property) + " is not a "
                        + type.getSimpleName() + ".",
                "Correct the value.",
                failure);
    }

    private static String from(ConfigurationProperty property) {
        Origin origin = property.getOrigin();
        return origin == null ? "" : " (" + origin + ")";
    }
}
