// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads names such as {@code public."My Table".id}. */
final class DottedName {

    private static final Pattern PART = Pattern.compile("\"([^\"]+)\"|`([^`]+)`|([\\p{L}_][\\p{L}\\p{M}\\p{N}_$]*)");

    private DottedName() {}

    /**
     * Returns the parts between the dots. A part that is not a plain identifier is in double quotes or backticks, which
     * are removed.
     *
     * @return empty if the text is not such a name
     */
    static List<String> parts(String text) {
        List<String> parts = new ArrayList<>();
        Matcher part = PART.matcher(text);
        for (int at = 0; part.find(at) && part.start() == at; at = part.end() + 1) {
            parts.add(text(part));
            if (part.end() == text.length()) {
                return parts;
            }
            if (text.charAt(part.end()) != '.' || part.end() + 1 == text.length()) {
                break;
            }
        }
        return List.of();
    }

    private static String text(Matcher part) {
        int group = part.group(1) != null ? 1 : part.group(2) != null ? 2 : 3;
        return part.group(group);
    }
}
