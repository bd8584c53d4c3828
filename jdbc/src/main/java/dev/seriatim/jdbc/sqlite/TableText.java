// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sqlite;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the text of a {@code CREATE TABLE} says that no pragma of SQLite 3.35 does.
 *
 * @param autoincrement whether its row numbers are {@code AUTOINCREMENT}
 * @param withoutRowid whether its rows have no numbers
 * @param strict whether it is {@code STRICT}
 */
record TableText(boolean autoincrement, boolean withoutRowid, boolean strict) {

    /**
     * Text, quoted names and comments, which may contain any word. A doubled quote counts as an end and a beginning. None
     * backtracks.
     */
    private static final Pattern QUOTED = Pattern.compile(
            "'[^']*+(?:'|\\z)|\"[^\"]*+(?:\"|\\z)|`[^`]*+(?:`|\\z)|\\[[^\\]]*+(?:\\]|\\z)|--[^\\n]*+|/\\*.*?(?:\\*/|\\z)",
            Pattern.DOTALL);

    private static final Pattern AUTOINCREMENT = word("AUTOINCREMENT");
    private static final Pattern WITHOUT_ROWID = word("WITHOUT\\s+ROWID");
    private static final Pattern STRICT = word("STRICT");

    static TableText of(@Nullable String sql) {
        String words = QUOTED.matcher(sql == null ? "" : sql).replaceAll(" _ ");
        String options = words.substring(words.lastIndexOf(')') + 1);
        return new TableText(
                AUTOINCREMENT.matcher(words).find(),
                WITHOUT_ROWID.matcher(options).find(),
                STRICT.matcher(options).find());
    }

    private static Pattern word(String words) {
        return Pattern.compile("\\b" + words + "\\b", Pattern.CASE_INSENSITIVE);
    }
}
