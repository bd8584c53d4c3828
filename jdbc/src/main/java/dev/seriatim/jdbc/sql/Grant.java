// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The least privileges that an application needs for a purpose.
 *
 * @param purpose such as {@code to draw}
 * @param statements the statements, without terminators, for a user called {@value #USER}
 */
public record Grant(String purpose, List<String> statements) {

    /** Placeholder for the application's user. */
    public static final String USER = "app_user";

    public static Grant of(String purpose, String... statements) {
        return new Grant(purpose, List.of(statements));
    }

    public static Grant note(String text) {
        return new Grant(text, List.of());
    }

    /**
     * Returns the end of a script. The statements are in a block comment: an administrator pastes those that an application
     * needs, and the script itself grants nothing.
     */
    public static String script(List<Grant> grants) {
        Map<String, List<String>> byPurpose = new LinkedHashMap<>();
        String advice = grants.stream()
                .filter(grant -> grant.statements.isEmpty())
                .map(grant -> "-- " + grant.purpose + "\n")
                .collect(Collectors.joining());
        grants.stream()
                .filter(grant -> !grant.statements.isEmpty())
                .forEach(grant -> byPurpose.merge(
                        grant.purpose,
                        grant.statements,
                        (some, more) ->
                                Stream.concat(some.stream(), more.stream()).toList()));
        return byPurpose.isEmpty() ? advice : advice + block(byPurpose);
    }

    private static String block(Map<String, List<String>> byPurpose) {
        return byPurpose.entrySet().stream()
                .map(entry -> "-- " + entry.getKey() + "\n" + String.join(";\n", entry.getValue()) + ";\n")
                .collect(Collectors.joining("\n", """
                        /*
                        The least privileges of an application. Replace app_user by its user, and run
                        as an administrator the statements for what the application does.

                        """, "*/\n"));
    }
}
