// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.SequenceException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.origin.Origin;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.ClassUtils;

/** Reports in two lines, the cause and the remedy, that the sequences could not be opened. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SequenceFailureAnalyzer implements FailureAnalyzer {

    private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("seriatim");

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SequenceException refused) {
                return of(failure, refused);
            }
            if (cause instanceof BindException unbound
                    && (OURS.equals(unbound.getName()) || OURS.isAncestorOf(unbound.getName()))) {
                return of(failure, unbound);
            }
        }
        return null;
    }

    private static FailureAnalysis of(Throwable failure, SequenceException cause) {
        String line = String.valueOf(cause.getMessage());
        int end = line.indexOf("; ");
        if (end < 0) {
            return new FailureAnalysis("Seriatim: " + line, null, failure);
        }
        String remedy = line.substring(end + 2);
        return new FailureAnalysis(
                "Seriatim: " + line.substring(0, end) + ".",
                Character.toUpperCase(remedy.charAt(0)) + remedy.substring(1) + (remedy.endsWith(".") ? "" : "."),
                failure);
    }

    /**
     * Reports a property {@code seriatim.*} that is unknown or empty, or whose value is not of its type. Boot's own
     * analyzer would also print the value of a misspelt password.
     */
    private static FailureAnalysis of(Throwable failure, BindException cause) {
        if (cause.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
            String names = unbound.getUnboundProperties().stream()
                    .map(property -> written(property.getName()) + from(property))
                    .sorted()
                    .collect(Collectors.joining(", "));
            return new FailureAnalysis(
                    "Seriatim: unknown or empty property " + names + ".",
                    "Correct its name, give it a value, or remove it.",
                    failure);
        }
        ConfigurationProperty property = cause.getProperty();
        String given = property == null ? "" : "=" + property.getValue() + from(property);
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(
                cause.getTarget().getType().resolve(Object.class));
        return new FailureAnalysis(
                "Seriatim: " + written(cause.getName()) + given + " is not a " + type.getSimpleName() + ".",
                "Correct the value.",
                failure);
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
