// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Judges by its words whether an SQL text can change its session beyond the end of its transaction.
 * Thread-safe. Remembers harmless texts, since most are sent again.
 */
public final class SessionChange {

    /** Statements that leave nothing, but for the functions below. */
    private static final Pattern PLAIN = Pattern.compile(
            "(?i)(?:select|insert|update|delete|merge|replace|with|values|savepoint|release|rollback"
                    + "|set\\s+transaction\\s+isolation(?![^;]*,)|set\\s+statement\\s[^;]*?\\sfor\\s+(?:select|insert|update|delete))\\b");

    /** Parts of plain statements that set something, take a session's lock or create a temporary table. */
    private static final Pattern SETTING = Pattern.compile(
            "(?i)set_config|pg_settings|advisory_lock|get_lock|:=|\\binto\\s+(?:@|temp|local|pg_temp)|\\bset\\s*\\(\\s*@");

    /** A user variable on MariaDB or MySQL, which no statement of the library reads. */
    private static final Pattern VARIABLE =
            Pattern.compile("(?i)set\\s+@[\\w.$]++\\s*=\\s*(?:'[^']*+'|\\?|-?\\d++)\\s*;?\\s*");

    private static final int MOST_REMEMBERED = 1_000;
    private static final int LONGEST_REMEMBERED = 1_000;

    /** Faults that the state of the session does not cause. */
    private static final Set<Fault> OF_THE_WORK =
            EnumSet.of(Fault.CONFLICT, Fault.SPOILED, Fault.DUPLICATE, Fault.VIOLATION, Fault.LIMIT);

    private final Dialect dialect;
    private final Set<String> harmless = ConcurrentHashMap.newKeySet();

    public SessionChange(Dialect dialect) {
        this.dialect = dialect;
    }

    boolean isPossible(String sql) {
        if (harmless.contains(sql)) {
            return false;
        }
        boolean possible = leaves(dialect.withoutLocalSettings(sql)) || dialect.hidesStatement(sql);
        if (!possible && harmless.size() < MOST_REMEMBERED && sql.length() < LONGEST_REMEMBERED) {
            harmless.add(sql);
        }
        return possible;
    }

    /** Returns whether a change of the session may have caused a failure. */
    boolean isSuspected(SQLException e) {
        return !OF_THE_WORK.contains(dialect.fault(e));
    }

    private static boolean leaves(String text) {
        int from = afterComments(text);
        int semicolon = text.indexOf(';', from);
        boolean single = semicolon < 0 || text.substring(semicolon + 1).isBlank();
        boolean plain = from == text.length()
                || PLAIN.matcher(text).region(from, text.length()).lookingAt();
        if (VARIABLE.matcher(text).region(from, text.length()).matches()) {
            return false;
        }
        return !single || !plain || SETTING.matcher(text).find();
    }

    /**
     * Returns where the first word of a text begins: after white space and comments, but before a comment that MySQL
     * executes, or whose end depends on the engine because it contains another or a carriage return.
     */
    public static int afterComments(String sql) {
        int at = 0;
        while (at < sql.length()) {
            int end = at;
            if (Character.isWhitespace(sql.charAt(at))) {
                end++;
            } else if (sql.startsWith("/*", at) && !sql.startsWith("/*!", at) && !sql.startsWith("/*M!", at)) {
                int close = sql.indexOf("*/", at + 2);
                boolean ends = close >= 0 && !sql.substring(at + 2, close + 1).contains("/*");
                end = ends ? close + 2 : at;
            } else if (sql.startsWith("--", at)) {
                int line = sql.indexOf('\n', at);
                int to = line < 0 ? sql.length() : line;
                boolean ends = !sql.substring(at, to - 1).contains("\r");
                end = ends ? Math.min(to + 1, sql.length()) : at;
            }
            if (end == at) {
                return at;
            }
            at = end;
        }
        return at;
    }
}
