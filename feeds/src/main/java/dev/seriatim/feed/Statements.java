// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * An engine's statements: a resource beside this class, in which a line of {@code //} separates them. The first line of each is a
 * comment with the name of its section. Immutable.
 */
final class Statements {

    private static final String BETWEEN = "\n//\n";

    private final Map<String, List<String>> sections = new HashMap<>();

    Statements(String resource) {
        try (InputStream in = Objects.requireNonNull(Statements.class.getResourceAsStream(resource), resource)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
            for (String each : text.split(BETWEEN, -1)) {
                String statement = each.replaceFirst("\\A(?:--[^\n]*\n)+", "");
                String section = each.replaceFirst("(?s)\\A-- (\\w+).*", "$1");
                sections.computeIfAbsent(section, none -> new ArrayList<>()).add(statement);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(resource, e);
        }
    }

    /** Returns the statements of a section; none if there is no such section. */
    List<String> of(String section) {
        return sections.getOrDefault(section, List.of());
    }
}
