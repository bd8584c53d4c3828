// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Refuses what Aurora DSQL's documentation says that it refuses, and what the documentation does not mention; the
 * PostgreSQL behind the stand-in would run these statements. One per connection; not thread-safe.
 */
final class DsqlRules {

    private static final List<Pattern> NEVER = List.of(
            word("SKIP\\s+LOCKED|NOWAIT"),
            word("TRUNCATE|VACUUM|SAVEPOINT|LISTEN|NOTIFY|DISCARD"),
            word("LOCK\\s+TABLE|lock_timeout|pg_(try_)?advisory\\w*"),
            word("TRIGGER|RULE|EXTENSION|TABLESPACE|MATERIALIZED"),
            word("TEMP|TEMPORARY|UNLOGGED|INHERITS|PARTITION"),
            word("(BIG|SMALL)?SERIAL[248]?"),
            word("COLLATE(?!\\s+\"C\")"),
            word("fillfactor"),
            word("CREATE\\s+(UNIQUE\\s+)?INDEX(?!\\s+ASYNC)"),
            word("CREATE\\s+(DATABASE|TYPE)"),
            word("LANGUAGE\\s+(?!sql\\b)\\w+"),
            word("ISOLATION\\s+LEVEL\\s+(?!REPEATABLE\\s+READ)\\w+"),
            word("SET\\s+(LOCAL\\s+|SESSION\\s+)?(TRANSACTION|CHARACTERISTICS|default_transaction_\\w+)"),
            word("ADD\\s+GENERATED"),
            word("(INTEGER|INT[24]?|SMALLINT)\\s+(NOT\\s+NULL\\s+)?GENERATED"),
            word("SEQUENCE\\s.*\\sAS\\s+(INTEGER|INT[24]?|SMALLINT)"),
            Pattern.compile(";\\s*\\S"));

    private static final Pattern CACHED =
            word("(CREATE|ALTER)\\s+SEQUENCE|GENERATED\\s+(ALWAYS|BY\\s+DEFAULT)\\s+AS\\s+IDENTITY|SET\\s+CACHE");
    private static final Pattern CACHE = word("CACHE\\s+(\\d+)");
    private static final Pattern MAY_LEAVE_CACHE_OUT = word("ALTER\\s+SEQUENCE");
    private static final Pattern LOCKING = word("FOR\\s+(NO\\s+KEY\\s+)?(UPDATE|SHARE|KEY\\s+SHARE)\\s*$");
    private static final Pattern BY_KEY = Pattern.compile("(?i)WHERE \"(seq_)?name\" = \\? FOR UPDATE$");
    private static final Pattern DDL =
            Pattern.compile("(?i)^\\s*(CREATE|ALTER|DROP|GRANT|REVOKE|COMMENT)\\b.*", Pattern.DOTALL);

    private boolean ddl;
    private boolean other;

    private static Pattern word(String alternatives) {
        return Pattern.compile("(?i)(?<![\\w\"])(?:" + alternatives + ")(?![\\w\"])");
    }

    /** Called before a statement; {@code alone} if it is a transaction of its own. */
    void statement(String sql, boolean alone) throws SQLException {
        for (Pattern never : NEVER) {
            refuseIf(never.matcher(sql).find(), "it has no " + never, sql);
        }
        refuseIf(CACHED.matcher(sql).find() && !cacheAllowed(sql), "CACHE is 1, or at least 65536, and said", sql);
        refuseIf(
                LOCKING.matcher(sql).find() && !BY_KEY.matcher(sql).find(),
                "a row is locked by equality with its whole primary key",
                sql);
        inTransaction(DDL.matcher(sql).matches(), alone, sql);
    }

    /** Called after the end of the transaction. */
    void end() {
        ddl = false;
        other = false;
    }

    private void inTransaction(boolean isDdl, boolean alone, String sql) throws SQLException {
        if (alone) {
            return;
        }
        refuseIf(ddl || (isDdl && other), "a statement that changes the schema is a transaction of its own", sql);
        ddl |= isDdl;
        other |= !isDdl;
    }

    private static boolean cacheAllowed(String sql) {
        Matcher cache = CACHE.matcher(sql);
        if (!cache.find()) {
            return MAY_LEAVE_CACHE_OUT.matcher(sql).find();
        }
        long size = Long.parseLong(cache.group(1));
        return size == 1 || size >= 65536;
    }

    private static void refuseIf(boolean wrong, String why, String sql) throws SQLException {
        if (wrong) {
            throw new SQLException("ERROR: unsupported statement: " + why + ": " + sql, "0A000");
        }
    }
}
