// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Parameter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/** Editors complete every property, with the type and the default that it has. */
class MetadataTest {

    @Test
    void every_property_is_in_the_metadata() throws IOException {
        assertThat(described("seriatim."))
                .containsExactlyInAnyOrderElementsOf(expected("seriatim.", SeriatimProperties.class));
        assertThat(described("management."))
                .containsExactly("management.health.seriatim.enabled java.lang.Boolean true");
    }

    private static List<String> expected(String prefix, Class<?> holder) {
        List<String> expected = new ArrayList<>();
        for (Parameter property : holder.getDeclaredConstructors()[0].getParameters()) {
            if (property.getType().isRecord()) {
                expected.addAll(expected(prefix + dashed(property.getName()) + ".", property.getType()));
                continue;
            }
            DefaultValue otherwise = property.getAnnotation(DefaultValue.class);
            String value = otherwise == null || otherwise.value().length == 0
                    ? ""
                    : otherwise.value()[0];
            String type = property.getType() == boolean.class
                    ? Boolean.class.getName()
                    : property.getParameterizedType()
                            .getTypeName()
                            .replace(" ", "")
                            .replace("class", "");
            expected.add(prefix + dashed(property.getName()) + " " + type + " " + value);
        }
        return expected;
    }

    @Test
    void the_parts_of_a_sequence_are_named_where_sequences_are_described() throws IOException {
        String description = properties().stream()
                .filter(property -> Objects.equals(property.get("name"), "seriatim.sequences"))
                .map(property -> String.valueOf(property.get("description")))
                .collect(Collectors.joining());
        assertThat(Arrays.stream(SeriatimProperties.Definition.class.getRecordComponents())
                        .map(part -> dashed(part.getName())))
                .allMatch(description::contains, "is in: " + description);
    }

    private static String dashed(String name) {
        return ConfigurationPropertyName.of(name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
                .toString();
    }

    private static List<String> described(String prefix) throws IOException {
        return properties().stream()
                .filter(property -> String.valueOf(property.get("name")).startsWith(prefix))
                .peek(property ->
                        assertThat(String.valueOf(property.get("description"))).endsWith("."))
                .map(property -> property.get("name") + " " + property.get("type") + " "
                        + (property.get("defaultValue") == null ? "" : property.get("defaultValue")))
                .toList();
    }

    private static List<Map<String, String>> properties() throws IOException {
        try (InputStream file = Objects.requireNonNull(
                SeriatimProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json"))) {
            List<Map<String, String>> properties = new ArrayList<>();
            JsonParser.parseString(new String(file.readAllBytes(), StandardCharsets.UTF_8))
                    .getAsJsonObject()
                    .getAsJsonArray("properties")
                    .forEach(property -> properties.add(property.getAsJsonObject().entrySet().stream()
                            .collect(Collectors.toMap(
                                    Map.Entry::getKey, part -> part.getValue().getAsString()))));
            return properties;
        }
    }
}
