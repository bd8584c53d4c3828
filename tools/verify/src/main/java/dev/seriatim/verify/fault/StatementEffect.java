// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The effect of a statement on its transaction, judged by its text. */
enum StatementEffect {
    BEGINS,
    COMMITS,
    /** Also a rollback: what matters is whether something is committed. */
    READS,
    /** Also an unknown statement, which may write. */
    WRITES;

    private static final Pattern COMMENTS = Pattern.compile("(?s)/\\*.*?\\*/|--[^\\n]*");
    private static final Pattern FIRST_WORD = Pattern.compile("[\\s(;]*([A-Za-z]+)");
    private static final Pattern LOCKING = Pattern.compile("(?i)\\bfor\\s+(?:no\\s+key\\s+)?update\\b");
    private static final Pattern WRITING =
            Pattern.compile("(?i)\\b(?:insert|update|delete|merge|replace|nextval|setval|next\\s+value\\s+for)\\b");
    private static final Set<String> QUIET =
            Set.of(("ROLLBACK ABORT SET RESET SHOW USE SAVEPOINT RELEASE EXPLAIN DESCRIBE DISCARD DEALLOCATE LISTEN"
                            + " LOCK FETCH DECLARE CLOSE KILL PREPARE")
                    .split(" ", -1));

    static StatementEffect of(String sql) {
        String text = sql.indexOf("--") < 0 && sql.indexOf("/*") < 0
                ? sql
                : COMMENTS.matcher(sql).replaceAll(" ");
        Matcher word = FIRST_WORD.matcher(text);
        if (!word.lookingAt()) {
            return text.isBlank() ? READS : WRITES;
        }
        return switch (word.group(1).toUpperCase(Locale.ROOT)) {
            case "COMMIT", "END" -> COMMITS;
            case "BEGIN", "START" -> BEGINS;
            case "SELECT", "WITH", "VALUES", "TABLE" ->
                WRITING.matcher(LOCKING.matcher(text).replaceAll("")).find() ? WRITES : READS;
            default -> QUIET.contains(word.group(1).toUpperCase(Locale.ROOT)) ? READS : WRITES;
        };
    }
}
