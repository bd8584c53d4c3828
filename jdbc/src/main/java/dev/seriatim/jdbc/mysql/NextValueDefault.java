// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.inspect.ObjectName;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a column's default does with a sequence, from its text as MariaDB writes it.
 *
 * @param draws whether it draws from a sequence
 * @param sequence the sequence whose values it uses as they are
 */
record NextValueDefault(boolean draws, Optional<ObjectName> sequence) {

    private static final String NAME = "`([^`]*+(?:``[^`]*+)*+)`";
    private static final Pattern ALONE = Pattern.compile("nextval\\(" + NAME + "\\." + NAME + "\\)");

    /** Text and quoted names, which may look like a call. */
    private static final Pattern QUOTED =
            Pattern.compile("'(?:[^'\\\\]++|\\\\.)*+(?:'|\\z)|`[^`]*+(?:`|\\z)", Pattern.DOTALL);

    static NextValueDefault of(@Nullable String text) {
        String given = text == null ? "" : text;
        Matcher alone = ALONE.matcher(given);
        if (alone.matches()) {
            return new NextValueDefault(
                    true, Optional.of(new ObjectName(plain(alone.group(1)), plain(alone.group(2)))));
        }
        return new NextValueDefault(QUOTED.matcher(given).replaceAll("?").contains("nextval("), Optional.empty());
    }

    private static String plain(String quoted) {
        return quoted.replace("``", "`");
    }
}
