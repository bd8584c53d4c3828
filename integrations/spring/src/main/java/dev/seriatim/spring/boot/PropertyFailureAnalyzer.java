// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.Origin;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.ClassUtils;

/** Reports a property {@code seriatim.*} that is unknown, or whose value is not of its type. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class PropertyFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

    private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("seriatim");
    private static final ConfigurationPropertyName SEQUENCES = OURS.append("sequences");
    private static final ConfigurationPropertyName COUCHBASE = OURS.append("couchbase");

    private static final Map<Class<?>, String> REMEDIES = Map.of(
            Duration.class, "Set it to a time such as 10s.",
            Boolean.class, "Set it to true or false.",
            Long.class, "Set it to a whole number below 2^63.");

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable failure, BindException cause) {
        if (!OURS.equals(cause.getName()) && !OURS.isAncestorOf(cause.getName())) {
            return null;
        }
        UnboundConfigurationPropertiesException unbound =
                findCause(cause, UnboundConfigurationPropertiesException.class);
        return unbound == null ? unreadable(failure, cause) : unbound(failure, unbound.getUnboundProperties());
    }

    /** Boot counts a known property as unknown if its value is empty, and its type has no empty value. */
    private static FailureAnalysis unbound(Throwable failure, Collection<ConfigurationProperty> unbound) {
        List<ConfigurationProperty> unknown = unbound.stream()
                .filter(property -> !isKnown(property.getName()))
                .toList();
        return unknown.isEmpty()
                ? new FailureAnalysis(
                        "Seriatim: " + names(unbound) + " has no value.", "Give it a value, or remove it.", failure)
                : new FailureAnalysis(
                        "Seriatim: unknown property " + names(unknown) + ".",
                        "Correct its name or remove it.",
                        failure);
    }

    private static boolean isKnown(ConfigurationPropertyName name) {
        Class<?> holder = OURS.isParentOf(name)
                ? SeriatimProperties.class
                : COUCHBASE.isParentOf(name)
                        ? SeriatimProperties.Couchbase.class
                        : SEQUENCES.isParentOf(name.getParent()) ? SeriatimProperties.Definition.class : Object.class;
        return holder.isRecord()
                && Arrays.stream(holder.getRecordComponents())
                        .anyMatch(component -> component.getName().equalsIgnoreCase(name.getLastElement(Form.UNIFORM)));
    }

    private static String names(Collection<ConfigurationProperty> properties) {
        return properties.stream()
                .map(property -> written(property.getName()) + from(property))
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private static FailureAnalysis unreadable(Throwable failure, BindException cause) {
        ConfigurationProperty property = cause.getProperty();
        String what = written(cause.getName()) + (property == null ? "" : "=" + property.getValue() + from(property));
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(
                cause.getTarget().getType().resolve(Object.class));
        if (type == Map.class || type == SeriatimProperties.Definition.class) {
            return new FailureAnalysis(
                    "Seriatim: " + what + " defines no sequence.",
                    "Set a property of a sequence, such as seriatim.sequences.NAME.start-with=1000.",
                    failure);
        }
        if (type == SeriatimProperties.Couchbase.class) {
            return new FailureAnalysis(
                    "Seriatim: " + what + " names no bucket.",
                    "Set seriatim.couchbase.bucket to the bucket that holds the sequences.",
                    failure);
        }
        String remedy = REMEDIES.getOrDefault(type, "Correct the value.");
        return new FailureAnalysis("Seriatim: " + what + " is not a " + type.getSimpleName() + ".", remedy, failure);
    }

    /** The name of a sequence is shown as it is; Boot shows it without underscores. */
    private static String written(ConfigurationPropertyName name) {
        StringBuilder written = new StringBuilder();
        for (int i = 0; i < name.getNumberOfElements(); i++) {
            String element = name.getElement(i, Form.ORIGINAL);
            boolean plain = element.matches("[A-Za-z][\\w-]*");
            written.append(plain && i > 0 ? "." : "").append(plain ? element : "[" + element + "]");
        }
        return written.toString();
    }

    private static String from(ConfigurationProperty property) {
        Origin origin = property.getOrigin();
        return origin == null ? "" : " (" + origin + ")";
    }
}
