// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.inspect.InspectionFault;
import dev.seriatim.jdbc.inspect.InspectionFinding;
import dev.seriatim.jdbc.inspect.NativeSequence;
import dev.seriatim.jdbc.inspect.NumberedColumn;
import dev.seriatim.jdbc.inspect.NumberedColumn.Generator;
import dev.seriatim.jdbc.inspect.Remedy;
import dev.seriatim.jdbc.inspect.Skips;
import dev.seriatim.jdbc.sql.Settings;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What is wrong with a server's settings, whatever its tables are. Immutable. */
final class MySqlServerFindings {

    /** The variables that are read; those that this server does not have are missing in the answer. */
    private static final List<String> NAMES = List.of(
            "auto_increment_increment",
            "auto_increment_offset",
            "binlog_format",
            "group_replication_group_name",
            "innodb_autoinc_lock_mode",
            "innodb_doublewrite",
            "innodb_flush_log_at_trx_commit",
            "innodb_flush_method",
            "log_bin",
            "read_only",
            "rpl_semi_sync_master_enabled",
            "rpl_semi_sync_source_enabled",
            "sync_binlog",
            "version",
            "wsrep_provider");

    private static final Set<String> TORN_PAGES = Set.of("OFF", "0", "DETECT_ONLY");
    private static final Pattern VERSION = Pattern.compile("(?:5\\.5\\.5-)?(\\d+)\\.(\\d+)\\.(\\d+).*", Pattern.DOTALL);

    private static final String INSERTED = "tables with AUTO_INCREMENT";

    private final Map<String, String> variables;
    private final boolean mariaDb;
    private final boolean cluster;
    private final List<InspectionFinding> findings = new ArrayList<>();

    MySqlServerFindings(Map<String, String> variables, boolean mariaDb, boolean cluster) {
        this.variables = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        this.variables.putAll(variables);
        this.mariaDb = mariaDb;
        // Without a provider, a server that was set up for a cluster is alone.
        this.cluster = cluster && !variable("wsrep_provider", "none").equalsIgnoreCase("none");
    }

    static MySqlServerFindings read(Connection connection, boolean mariaDb, boolean cluster, Skips skips)
            throws SQLException {
        String list = NAMES.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
        Map<String, String> variables =
                Settings.byName(connection, "SHOW GLOBAL VARIABLES WHERE Variable_name IN (" + list + ")");
        MySqlServerFindings server = new MySqlServerFindings(variables, mariaDb, cluster);
        server.checkCommits();
        Map<String, String> status = Settings.byName(
                connection,
                "SHOW GLOBAL STATUS WHERE Variable_name IN ('Slaves_connected', 'Innodb_redo_log_enabled',"
                        + " 'Rpl_semi_sync_master_status', 'Rpl_semi_sync_source_status')");
        server.checkStatus(status, server.isGroup() ? 0 : replicas(connection, status, mariaDb, skips));
        return server;
    }

    /** Returns the server's name and version. */
    String product() {
        return (mariaDb ? "MariaDB " : "MySQL ") + variable("version", "");
    }

    /** Returns whether nodes deal numbers beside each other. */
    boolean cluster() {
        return cluster;
    }

    /** Returns the distance between the numbers of an {@code AUTO_INCREMENT} column. */
    BigInteger increment() {
        return new BigInteger(variable("auto_increment_increment", "1"));
    }

    /** Returns the first number that is generated from a counter on. */
    BigInteger generated(BigInteger counter) {
        BigInteger step = increment();
        BigInteger offset = new BigInteger(variable("auto_increment_offset", "1"));
        if (step.compareTo(BigInteger.ONE) <= 0) {
            return counter;
        }
        // The server ignores an offset beyond the increment.
        BigInteger from = offset.compareTo(step) > 0 ? BigInteger.ONE : offset;
        return counter.add(from.subtract(counter).mod(step));
    }

    List<InspectionFinding> findings() {
        return List.copyOf(findings);
    }

    /** Returns what is wrong only because of what is in the databases. */
    List<InspectionFinding> onUse(List<NumberedColumn> columns, List<NativeSequence> sequences) {
        List<InspectionFinding> found = new ArrayList<>();
        if (columns.stream().anyMatch(column -> column.generator() == Generator.AUTO_INCREMENT)) {
            checkInserts(found);
        }
        if (cluster) {
            sequences.stream()
                    .filter(sequence -> sequence.increment().signum() != 0)
                    .forEach(sequence -> found.add(repeatsOnNodes(sequence)));
        } else if (!sequences.isEmpty()) {
            found.add(new InspectionFinding(
                    InspectionFault.NOTE,
                    "native sequences",
                    "after a crash of the server, acknowledged values can repeat, also with NOCACHE",
                    Optional.empty()));
        }
        return found;
    }

    private static InspectionFinding repeatsOnNodes(NativeSequence sequence) {
        return new InspectionFinding(
                InspectionFault.REPEATS,
                sequence.name().toString(),
                "the nodes of the cluster deal the same values, since its increment is " + sequence.increment()
                        + " and not 0",
                Optional.of(Remedy.statement(
                        "ALTER SEQUENCE " + QuotedNames.quoted(sequence.name()) + " INCREMENT BY 0",
                        Remedy.Kind.CHANGES)));
    }

    private void checkCommits() {
        String flush = variable("innodb_flush_log_at_trx_commit", "1");
        if (!flush.equals("1")) {
            loses(
                    "innodb_flush_log_at_trx_commit",
                    "is " + flush + ": a crash loses acknowledged commits",
                    "SET GLOBAL innodb_flush_log_at_trx_commit = 1, and in the server's configuration");
        }
        String sync = variable("sync_binlog", "1");
        if (isOn("log_bin") && !sync.equals("1")) {
            loses(
                    "sync_binlog",
                    "is " + sync
                            + " with the binary log on: recovery from a power cut drops commits that the log misses",
                    "SET GLOBAL sync_binlog = 1, and in the server's configuration");
        }
        String pages = variable("innodb_doublewrite", "ON").toUpperCase(Locale.ROOT);
        if (TORN_PAGES.contains(pages)) {
            loses(
                    "innodb_doublewrite",
                    "is " + pages + ": a power cut can leave half a page, and with it lose committed rows",
                    "set innodb_doublewrite = ON in the server's configuration, and restart it");
        }
        String method = variable("innodb_flush_method", "fsync");
        if (method.equalsIgnoreCase("nosync")) {
            loses(
                    "innodb_flush_method",
                    "is " + method + ": a power cut loses acknowledged commits",
                    "set innodb_flush_method = O_DIRECT in the server's configuration, and restart it");
        }
        if (!Set.of("OFF", "0").contains(variable("read_only", "OFF")) && !cluster) { // NO_LOCK, too
            findings.add(new InspectionFinding(
                    InspectionFault.NOTE,
                    "read_only",
                    "is ON: this is a replica, or was made one; its counters follow those of its source",
                    Optional.empty()));
        }
    }

    void checkStatus(Map<String, String> status, int replicas) {
        if (status.getOrDefault("Innodb_redo_log_enabled", "ON").equals("OFF")) {
            loses(
                    "redo log",
                    "is disabled: a crash loses acknowledged commits, and the tables",
                    "ALTER INSTANCE ENABLE INNODB REDO_LOG");
        }
        boolean waits = isOn("rpl_semi_sync_master_enabled") || isOn("rpl_semi_sync_source_enabled");
        boolean gaveUp = status.entrySet().stream()
                .anyMatch(entry -> entry.getKey().startsWith("Rpl_semi_sync_")
                        && entry.getValue().equals("OFF"));
        if (replicas > 0 && !cluster && (!waits || gaveUp)) {
            findings.add(new InspectionFinding(
                    InspectionFault.STANDBY_LAGS,
                    "replication",
                    (waits
                                    ? "semi-synchronous replication has given up waiting"
                                    : "semi-synchronous replication is off")
                            + " and replicas are connected: a failover to one of them loses acknowledged commits, and their"
                            + " numbers are generated again",
                    Optional.of(new Remedy(
                            mariaDb
                                    ? "set rpl_semi_sync_master_enabled = ON here, and rpl_semi_sync_slave_enabled = ON on the replicas"
                                    : "install the plug-ins for semi-synchronous replication, and set rpl_semi_sync_source_enabled = ON here",
                            Remedy.Kind.ADVICE))));
        }
    }

    private void checkInserts(List<InspectionFinding> found) {
        String version = variable("version", "");
        if (forgetsCounters(version, mariaDb)) {
            found.add(new InspectionFinding(
                    InspectionFault.REPEATS,
                    INSERTED,
                    "this version forgets the counters when it restarts, and generates the numbers of the last rows that were"
                            + " deleted again",
                    Optional.of(new Remedy(
                            mariaDb ? "upgrade to MariaDB 10.2.4 or later" : "upgrade to MySQL 8 or later",
                            Remedy.Kind.ADVICE))));
        }
        if (isOn("log_bin")
                && variable("binlog_format", "ROW").equals("STATEMENT")
                && variable("innodb_autoinc_lock_mode", "1").equals("2")) {
            found.add(new InspectionFinding(
                    InspectionFault.REPEATS,
                    "innodb_autoinc_lock_mode",
                    "is 2 and binlog_format is STATEMENT: replicas number rows that were inserted at once differently",
                    Optional.of(new Remedy(
                            "SET GLOBAL binlog_format = 'ROW', which affects new connections", Remedy.Kind.ADVICE))));
        }
        if (increment().compareTo(BigInteger.ONE) > 0 && !cluster && !isGroup()) {
            found.add(new InspectionFinding(
                    InspectionFault.NOTE,
                    "auto_increment_increment",
                    "is " + increment() + ": columns are used up " + increment()
                            + " times as fast; meant for servers that replicate to each other",
                    Optional.empty()));
        }
    }

    /** Returns whether a version keeps the counters of InnoDB's tables in memory alone. */
    static boolean forgetsCounters(String version, boolean mariaDb) {
        Matcher parts = VERSION.matcher(version);
        if (!parts.matches()) {
            return false;
        }
        int major = Integer.parseInt(parts.group(1));
        int minor = Integer.parseInt(parts.group(2));
        int patch = Integer.parseInt(parts.group(3));
        if (!mariaDb) {
            return major < 8;
        }
        return major < 10 || (major == 10 && (minor < 2 || (minor == 2 && patch < 4)));
    }

    private boolean isGroup() {
        return !variable("group_replication_group_name", "").isEmpty();
    }

    private static int replicas(Connection connection, Map<String, String> status, boolean mariaDb, Skips skips)
            throws SQLException {
        if (mariaDb) {
            return Integer.parseInt(status.getOrDefault("Slaves_connected", "0"));
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW REPLICAS")) {
            int count = 0;
            while (row.next()) {
                count++;
            }
            return count;
        } catch (SQLException e) {
            if (!MySqlErrors.denied(e)) {
                throw e;
            }
            skips.add("replication", "this user may not list the replicas (REPLICATION SLAVE)");
            return 0;
        }
    }

    private void loses(String setting, String what, String remedy) {
        findings.add(new InspectionFinding(
                InspectionFault.LOSES_COMMITS, setting, what, Optional.of(new Remedy(remedy, Remedy.Kind.ADVICE))));
    }

    private boolean isOn(String name) {
        String value = variable(name, "OFF");
        return value.equals("ON") || value.equals("1");
    }

    private String variable(String name, String otherwise) {
        String value = variables.get(name);
        return value == null ? otherwise : value;
    }
}
