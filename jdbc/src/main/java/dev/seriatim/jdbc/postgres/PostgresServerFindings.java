// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import static dev.seriatim.jdbc.postgres.LimitedReads.qualified;

import dev.seriatim.jdbc.inspect.InspectionFault;
import dev.seriatim.jdbc.inspect.InspectionFinding;
import dev.seriatim.jdbc.inspect.Remedy;
import dev.seriatim.jdbc.inspect.Remedy.Kind;
import dev.seriatim.jdbc.inspect.Skips;
import dev.seriatim.jdbc.sql.Settings;
import dev.seriatim.jdbc.sql.SqlFailures;
import dev.seriatim.jdbc.sql.SqlWork;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Settings and standbys of a PostgreSQL server that lose acknowledged commits, or numbers with them. */
final class PostgresServerFindings {

    private static final String COMMITS = "synchronous_commit";

    /** A value that holds in this session alone says nothing of others'. */
    private static final String SETTINGS =
            qualified("SELECT name, setting, source FROM pg_catalog.pg_settings WHERE name = 'fsync'::pg_catalog.text"
                    + " OR name = 'full_page_writes'::pg_catalog.text OR name = 'synchronous_commit'::pg_catalog.text"
                    + " OR name = 'synchronous_standby_names'::pg_catalog.text");

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
            SELECT w.application_name, w.state, w.sync_state, w.pid
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

    private final LimitedReads reads;
    private final Skips skips;
    private final List<InspectionFinding> findings = new ArrayList<>();

    private PostgresServerFindings(LimitedReads reads, Skips skips) {
        this.reads = reads;
        this.skips = skips;
    }

    /** Reads them; {@code draws} if a column draws from a sequence. */
    static List<InspectionFinding> of(LimitedReads reads, Skips skips, boolean draws) throws SQLException {
        PostgresServerFindings found = new PostgresServerFindings(reads, skips);
        Map<String, Setting> settings = found.read("the server's settings", PostgresServerFindings::settings, Map.of());
        found.durability(settings);
        found.roles();
        found.standbys(settings);
        if (draws) {
            found.slots();
            found.note(
                    "PostgreSQL's own sequences",
                    "after a crash of the server acknowledged values can repeat, unless a committed transaction has stored them");
        }
        return found.findings;
    }

    private record Setting(String value, String source) {}

    private static Map<String, Setting> settings(Connection connection) throws SQLException {
        Map<String, Setting> settings = new LinkedHashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(SETTINGS);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                settings.put(row.getString(1), new Setting(row.getString(2), row.getString(3)));
            }
        }
        return settings;
    }

    private void durability(Map<String, Setting> settings) {
        if (isOff(settings, "fsync")) {
            add(
                    InspectionFault.LOSES_COMMITS,
                    "setting fsync",
                    "is off: a power cut loses acknowledged commits, and the database with them",
                    "set fsync=on");
        }
        if (isOff(settings, "full_page_writes")) {
            add(
                    InspectionFault.LOSES_COMMITS,
                    "setting full_page_writes",
                    "is off: a page that a power cut tears cannot be repaired, and its commits are lost",
                    "set full_page_writes=on, unless the file system never tears pages");
        }
        Setting commits = settings.get(COMMITS);
        if (commits == null) {
            return;
        }
        if (OF_THE_SERVER.contains(commits.source())) {
            if (commits.value().equals("off")) {
                add(
                        InspectionFault.LOSES_COMMITS,
                        "setting synchronous_commit",
                        "is off: a crash loses acknowledged commits, and their numbers are dealt again",
                        "set synchronous_commit=on");
            }
        } else {
            // A role's or a database's value is reported as such.
            if (commits.source().equals("client") && commits.value().equals("off")) {
                add(
                        InspectionFault.LOSES_COMMITS,
                        "the URL's synchronous_commit",
                        "is off: a crash loses what is committed through this URL",
                        "remove it from the URL's options");
            }
            skips.add("the server's synchronous_commit", "this user's own value hides it; look as a user without one");
        }
    }

    private void roles() throws SQLException {
        List<InspectionFinding> found = read(
                "synchronous_commit of roles and databases",
                connection -> {
                    List<InspectionFinding> off = new ArrayList<>();
                    try (PreparedStatement statement = connection.prepareStatement(OF_ROLES);
                            ResultSet row = statement.executeQuery()) {
                        while (row.next()) {
                            role(row.getString(1), row.getString(2), row.getString(3))
                                    .ifPresent(off::add);
                        }
                    }
                    return off;
                },
                List.of());
        findings.addAll(found);
    }

    private static Optional<InspectionFinding> role(@Nullable String role, @Nullable String database, String setting) {
        if (!isOff(setting.substring(setting.indexOf('=') + 1))) {
            return Optional.empty();
        }
        String subject = role == null
                ? database == null ? "all roles" : "database " + database
                : "role " + role + (database == null ? "" : " in database " + database);
        String alter = role == null
                ? database == null ? "ALTER ROLE ALL" : "ALTER DATABASE " + PostgresFamily.quoteAny(database)
                : "ALTER ROLE " + PostgresFamily.quoteAny(role)
                        + (database == null ? "" : " IN DATABASE " + PostgresFamily.quoteAny(database));
        return Optional.of(new InspectionFinding(
                InspectionFault.LOSES_COMMITS,
                subject,
                "commits with synchronous_commit off: a crash loses what was acknowledged, and its numbers are dealt again",
                Optional.of(new Remedy(alter + " RESET synchronous_commit", Kind.CHANGES))));
    }

    private void standbys(Map<String, Setting> settings) throws SQLException {
        boolean standby = read(
                "whether the server is a standby",
                connection -> Settings.read(connection, "SELECT pg_catalog.pg_is_in_recovery()")
                        .orElse("f")
                        .equals("t"),
                false);
        if (standby) {
            note(
                    "this server",
                    "is a standby: nothing can be drawn here, and sequences stand up to 32 values further than on the primary");
        }
        Setting names = settings.get("synchronous_standby_names");
        boolean none = names != null && names.value().isBlank();
        List<String[]> attached = read("standbys", PostgresServerFindings::attached, List.of());
        boolean hidden = attached.stream().anyMatch(row -> row[1].isEmpty());
        if (hidden) {
            skips.add("standbys", "this user may not read their states; grant it pg_monitor");
        }
        for (String[] row : attached) {
            boolean streams = row[1].equals("streaming") || row[1].equals("catchup");
            if (streams && (none || row[2].equals("async"))) {
                add(
                        InspectionFault.STANDBY_LAGS,
                        "standby " + (row[0].isEmpty() ? row[3] : row[0]),
                        (none
                                        ? "is asynchronous, since synchronous_standby_names is empty"
                                        : "is asynchronous, since it is not in synchronous_standby_names")
                                + ": a failover to it loses acknowledged commits, and their numbers are dealt again",
                        none
                                ? "name it in synchronous_standby_names"
                                : "add it to synchronous_standby_names, or never fail over to it");
            }
        }
    }

    /** Returns name, state, whether it is synchronous, and process; the middle ones are empty if hidden. */
    private static List<String[]> attached(Connection connection) throws SQLException {
        List<String[]> attached = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(STANDBYS);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                attached.add(new String[] {text(row, 1), text(row, 2), text(row, 3), "process " + text(row, 4)});
            }
        }
        return attached;
    }

    private static String text(ResultSet row, int column) throws SQLException {
        String text = row.getString(column);
        return text == null ? "" : text;
    }

    private void slots() throws SQLException {
        List<String> slots = read(
                "logical replication slots",
                connection -> {
                    List<String> found = new ArrayList<>();
                    try (PreparedStatement statement = connection.prepareStatement(SLOTS);
                            ResultSet row = statement.executeQuery()) {
                        while (row.next()) {
                            found.add(row.getString(1) + " (" + row.getString(2) + ")");
                        }
                    }
                    return found;
                },
                List.of());
        for (String slot : slots) {
            note(
                    "logical replication slot " + slot,
                    "passes rows on, not how far sequences have come: raise them on what it feeds before that takes over");
        }
    }

    /** Runs a query that may be refused, which is reported as skipped. */
    private <R> R read(String subject, SqlWork<R> query, R otherwise) throws SQLException {
        try {
            return reads.alone(query);
        } catch (SQLException e) {
            if (reads.connection().isClosed()) {
                throw e;
            }
            skips.add(subject, "not readable by this user (" + SqlFailures.oneLine(e) + ")");
            return otherwise;
        }
    }

    private static boolean isOff(Map<String, Setting> settings, String name) {
        Setting setting = settings.get(name);
        return setting != null && setting.value().equals("off");
    }

    /** In whatever spelling a boolean setting is stored. */
    private static boolean isOff(String value) {
        return Set.of("off", "false", "no", "0", "of", "f", "fa", "fal", "fals", "n")
                .contains(value.toLowerCase(Locale.ROOT));
    }

    private void add(InspectionFault fault, String subject, String what, String remedy) {
        findings.add(new InspectionFinding(fault, subject, what, Optional.of(new Remedy(remedy, Kind.ADVICE))));
    }

    private void note(String subject, String what) {
        findings.add(new InspectionFinding(InspectionFault.NOTE, subject, what, Optional.empty()));
    }
}
