// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import static dev.seriatim.doctor.inventory.PostgresCatalog.qualified;

import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds settings and standbys of a PostgreSQL server that lose acknowledged commits, or numbers with them. */
final class PostgresServer {

    /** The source of a value shows whether it holds for other sessions, too. */
    private static final String SETTINGS = qualified("""
            SELECT name, setting FROM pg_catalog.pg_settings WHERE name = 'fsync'::pg_catalog.text
              OR name = 'full_page_writes'::pg_catalog.text OR name = 'synchronous_commit'::pg_catalog.text
              OR name = 'synchronous_standby_names'::pg_catalog.text
            UNION ALL SELECT 'source'::pg_catalog.text, source FROM pg_catalog.pg_settings
            WHERE name = 'synchronous_commit'::pg_catalog.text""");

    private static final Set<String> OF_THE_SERVER =
            Set.of("default", "configuration file", "command line", "environment variable", "global");

    private static final String OF_ROLES = qualified("""
            SELECT r.rolname, d.datname, u.c
            FROM pg_catalog.pg_db_role_setting s CROSS JOIN LATERAL pg_catalog.unnest(s.setconfig) AS u(c)
              LEFT JOIN pg_catalog.pg_roles r ON r.oid = s.setrole
              LEFT JOIN pg_catalog.pg_database d ON d.oid = s.setdatabase
            WHERE pg_catalog.starts_with(u.c, 'synchronous_commit='::pg_catalog.text)
              AND (s.setdatabase = 0::pg_catalog.oid OR d.datname = pg_catalog.current_database())
            ORDER BY d.datname, r.rolname""");

    // Neither a logical subscriber, which a publication's finding is about, nor a backup becomes the primary.
    private static final String STANDBYS = qualified("""
            SELECT CASE WHEN w.application_name = ''::pg_catalog.text THEN pg_catalog.concat('process ', w.pid)
              ELSE w.application_name END, COALESCE(w.state, ''), COALESCE(w.sync_state, '')
            FROM pg_catalog.pg_stat_replication w
            WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_replication_slots l
                WHERE l.active_pid = w.pid AND l.slot_type = 'logical'::pg_catalog.text)
              AND w.application_name <> 'pg_receivewal'::pg_catalog.text
              AND w.application_name <> 'pg_basebackup'::pg_catalog.text
            ORDER BY w.application_name, w.pid""");

    private static final String SLOTS = qualified("""
            SELECT l.slot_name, l.plugin FROM pg_catalog.pg_replication_slots l
            WHERE l.slot_type = 'logical'::pg_catalog.text AND l.database = pg_catalog.current_database()
              AND NOT l.temporary
            ORDER BY l.slot_name""");

    /** A boolean setting is stored as it was spelled. */
    private static final Set<String> OFF = Set.of("off", "false", "no", "0", "of", "f", "fa", "fal", "fals", "n");

    private final PostgresCatalog catalog;
    private final Map<String, String> settings = new HashMap<>();

    PostgresServer(PostgresCatalog catalog) {
        this.catalog = catalog;
    }

    /** Reports the findings; {@code draws} if a column draws from a sequence. */
    void check(boolean draws) throws SQLException {
        catalog.rowsOrSkip("the server's settings", SETTINGS, row -> settings.put(row.getString(1), row.getString(2)));
        checkDurability();
        catalog.rowsOrSkip(
                        "synchronous_commit of roles and databases",
                        OF_ROLES,
                        row -> role(row.getString(1), row.getString(2), row.getString(3)))
                .forEach(found -> found.ifPresent(catalog.findings::add));
        checkStandbys();
        if (draws) {
            for (String slot : catalog.rowsOrSkip(
                    "logical replication slots", SLOTS, row -> row.getString(1) + " (" + row.getString(2) + ")")) {
                catalog.note("logical replication slot " + slot, """
                        logical replication does not copy sequence values; raise the subscriber's sequences \
                        before failing over""");
            }
            catalog.note("PostgreSQL's own sequences", """
                    after a crash of the server acknowledged values can repeat, unless a committed transaction has \
                    stored them""");
        }
    }

    private boolean isOff(String name) {
        return settings.getOrDefault(name, "on").equals("off");
    }

    private void checkDurability() {
        if (isOff("fsync")) {
            catalog.loses("setting fsync", """
                    is off: a power cut loses acknowledged commits, and the database with \
                    them""", "set fsync=on");
        }
        if (isOff("full_page_writes")) {
            catalog.loses(
                    "setting full_page_writes",
                    """
                    is off: a page that a power cut tears cannot be repaired, and its commits are \
                    lost""",
                    "set full_page_writes=on, unless the file system never tears pages");
        }
        boolean off = isOff("synchronous_commit");
        String source = settings.getOrDefault("source", "default");
        if (OF_THE_SERVER.contains(source)) {
            if (off) {
                catalog.loses("setting synchronous_commit", """
                        is off: a crash loses acknowledged commits, and their numbers are dealt \
                        again""", "set synchronous_commit=on");
            }
            return;
        }
        // A role's or a database's value is a finding of its own.
        if (off && source.equals("client")) {
            catalog.loses("the URL's synchronous_commit", """
                    is off: a crash loses what is committed through this URL""", "remove it from the URL's options");
        }
        catalog.skips.add(
                "the server's synchronous_commit", "this user's own value hides it; look as a user without one");
    }

    private static Optional<InspectionFinding> role(@Nullable String role, @Nullable String database, String setting) {
        if (!OFF.contains(setting.substring(setting.indexOf('=') + 1).toLowerCase(Locale.ROOT))) {
            return Optional.empty();
        }
        String subject;
        String alter;
        if (role == null) {
            subject = database == null ? "all roles" : "database " + database;
            alter = database == null ? "ROLE ALL" : "DATABASE " + PostgresRemedies.quoteAny(database);
        } else {
            subject = "role " + role + (database == null ? "" : " in database " + database);
            alter = "ROLE " + PostgresRemedies.quoteAny(role)
                    + (database == null ? "" : " IN DATABASE " + PostgresRemedies.quoteAny(database));
        }
        return Optional.of(
                Fault.LOSES_COMMITS.of(subject, """
                commits with synchronous_commit off: a crash loses what was acknowledged, and its numbers are dealt \
                again""", Remedy.changes("ALTER " + alter + " RESET synchronous_commit")));
    }

    private void checkStandbys() throws SQLException {
        if (catalog.rowsOrSkip(
                        "whether the server is a standby",
                        "SELECT pg_catalog.pg_is_in_recovery()",
                        row -> row.getBoolean(1))
                .contains(true)) {
            catalog.note("this server", """
                    is a standby: nothing can be drawn here, and sequences stand up to 32 values further than on the \
                    primary""");
        }
        catalog.rowsOrSkip("standbys", STANDBYS, this::checkStandby);
    }

    /** Its state is empty if this user may not see it. */
    private boolean checkStandby(ResultSet row) throws SQLException {
        String state = row.getString(2);
        if (state.isEmpty()) {
            catalog.skips.add("standbys", "this user may not read their states; grant it pg_monitor");
        }
        boolean none =
                settings.getOrDefault("synchronous_standby_names", "unknown").isBlank();
        boolean lags = Set.of("streaming", "catchup").contains(state)
                && (none || row.getString(3).equals("async"));
        if (lags) {
            String why = none ? "synchronous_standby_names is empty" : "it is not in synchronous_standby_names";
            String what = """
                    is asynchronous, since %s: a failover to it loses acknowledged commits, and their numbers are \
                    dealt again""".formatted(why);
            catalog.findings.add(Fault.STANDBY_LAGS.of("standby " + row.getString(1), what, none ? """
                    name it in synchronous_standby_names""" : """
                    add it to synchronous_standby_names, or never fail over to it"""));
        }
        return lags;
    }
}
