// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sharing;

import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.SessionChange;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The effect of an SQL text on its transaction, judged by its words. */
enum StatementKind {
    /** A single statement that reads or writes rows. It cannot commit on any engine, and nor can what it calls. */
    PLAIN,
    /** One of the commands rolls back to a savepoint. */
    BACK_TO_SAVEPOINT,
    /** Anything else that cannot end the transaction on this engine; it may set a savepoint. */
    KEEPS_OPEN,
    /** Anything else, which may end the transaction. */
    OTHER;

    private static final Set<String> PLAIN_WORDS =
            Set.of("select", "insert", "update", "delete", "merge", "replace", "with", "values");

    /** More than any engine accepts as white space; H2 accepts no-break spaces and some control characters. */
    private static final String BLANK = "[\\p{C}\\p{Z}]";

    /** SQL Server names a savepoint without TO, and sets one with SAVE. */
    private static final Pattern BACK =
            Pattern.compile("(?i)\\brollback" + BLANK + "+(?:(?:work|transaction)" + BLANK + "+)?to\\b"
                    + "|\\b(?:rollback|save)" + BLANK + "+tran(?:saction)?" + BLANK + "+(?!(?:and|no)\\b)[\\w@\\[\"]");

    /** Engines differ in their comments: next to one, these words count anywhere. */
    private static final Pattern ROLLBACK = Pattern.compile("(?i)\\b(?:rollback|save)\\b");

    private static final Pattern TO = Pattern.compile("(?i)\\b(?:to|tran|transaction)\\b");

    /** Longer texts with comments are not searched: the time would grow with the square of the length. */
    private static final int LONG = 4_000;

    private static final Pattern COMMENT = Pattern.compile("/\\*|--|#|//");

    /** Every command that sets or releases a savepoint contains one of these words, on any engine. */
    private static final Pattern SAVEPOINT = Pattern.compile("(?i)\\b(?:savepoint|release)\\b");

    /** Returns whether a text may set, release or roll back to a savepoint. */
    static boolean isAboutSavepoints(String sql) {
        return SAVEPOINT.matcher(sql).find() || goesBack(sql);
    }

    /** Searches the whole text, which may contain several commands. */
    private static boolean goesBack(String sql) {
        Matcher rollback = ROLLBACK.matcher(sql);
        return hasComment(sql)
                ? rollback.find() && TO.matcher(sql).find(rollback.end())
                : BACK.matcher(sql).find();
    }

    private static boolean hasComment(String sql) {
        return COMMENT.matcher(sql).find();
    }

    /** The word, with what makes it a rollback to a savepoint or a release. */
    private static final Pattern NAMED =
            Pattern.compile("(?is)\\b(?:(to|release)(?:" + BLANK + "++|/\\*.*?\\*/|--[^\\n]*\\n)++)?savepoint\\b");

    /** Returns whether a text may set a savepoint; in a text with a comment, a rollback to one takes precedence. */
    static boolean setsSavepoint(String sql) {
        if (hasComment(sql) && (sql.length() > LONG || goesBack(sql))) {
            return false;
        }
        return NAMED.matcher(sql).results().anyMatch(found -> found.group(1) == null);
    }

    static StatementKind of(String sql, Dialect dialect) {
        int from = SessionChange.afterComments(sql);
        int to = from;
        while (to < sql.length() && Character.isLetter(sql.charAt(to))) {
            to++;
        }
        String word = sql.substring(from, to).toLowerCase(Locale.ROOT);
        if (PLAIN_WORDS.contains(word) && isLast(sql.indexOf(';', to), sql) && !dialect.hidesStatement(sql)) {
            return PLAIN;
        }
        if (goesBack(sql)) {
            return BACK_TO_SAVEPOINT;
        }
        return dialect.keepsOpen(sql.substring(from)) ? KEEPS_OPEN : OTHER;
    }

    private static boolean isLast(int semicolon, String sql) {
        return semicolon < 0 || sql.substring(semicolon + 1).isBlank();
    }
}
