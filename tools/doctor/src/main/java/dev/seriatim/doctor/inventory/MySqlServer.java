// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.doctor.inventory.NumberedColumn.Generator;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds settings of a server of MySQL or MariaDB that lose commits or repeat numbers. Immutable. */
final class MySqlServer {

    /** Variables that this server does not have are missing in the answer. */
    private static final String VARIABLES = """
            SHOW GLOBAL VARIABLES WHERE Variable_name IN ('auto_increment_increment', 'auto_increment_offset', \
            'binlog_format', 'group_replication_group_name', 'innodb_autoinc_lock_mode', 'innodb_doublewrite', \
            'innodb_flush_log_at_trx_commit', 'innodb_flush_method', 'log_bin', 'read_only', \
            'rpl_semi_sync_master_enabled', 'rpl_semi_sync_source_enabled', 'sync_binlog', 'version', \
            'wsrep_provider')""";

    private static final String STATUS = """
            SHOW GLOBAL STATUS WHERE Variable_name IN ('Slaves_connected', 'Innodb_redo_log_enabled', \
            'Rpl_semi_sync_master_status', 'Rpl_semi_sync_source_status')""";

    private static final String FLUSH = "innodb_flush_log_at_trx_commit";
    private static final String LOCK_MODE = "innodb_autoinc_lock_mode";

    private static final Set<String> TORN_PAGES = Set.of("OFF", "0", "DETECT_ONLY");
    private static final Pattern VERSION = Pattern.compile("(?:5\\.5\\.5-)?(\\d+)\\.(\\d+)\\.(\\d+).*", Pattern.DOTALL);

    private final Map<String, String> variables;
    private final boolean mariaDb;
    private final boolean cluster;
    private final List<InspectionFinding> findings = new ArrayList<>();

    MySqlServer(Map<String, String> variables, boolean mariaDb, boolean cluster) {
        this.variables = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        this.variables.putAll(variables);
        this.mariaDb = mariaDb;
        // Without a provider, a server that was set up for a cluster is alone.
        this.cluster = cluster && !variable("wsrep_provider", "none").equalsIgnoreCase("none");
    }

    static MySqlServer read(Connection connection, boolean mariaDb, boolean cluster, Skips skips) throws SQLException {
        MySqlServer server = new MySqlServer(Query.byName(connection, VARIABLES), mariaDb, cluster);
        server.checkCommits();
        Map<String, String> status = Query.byName(connection, STATUS);
        server.checkStatus(status, server.isGroup() ? 0 : replicas(connection, status, mariaDb, skips));
        return server;
    }

    /** Returns the server's name and version. */
    String product() {
        return (mariaDb ? "MariaDB " : "MySQL ") + variable("version", "");
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
                    .forEach(sequence -> found.add(new InspectionFinding(
                            InspectionFault.REPEATS,
                            sequence.name().toString(),
                            """
                            the nodes of the cluster deal the same values, since its increment is \
                            %s and not 0""".formatted(sequence.increment()),
                            MySqlRemedies.alter("SEQUENCE", sequence.name(), "INCREMENT BY 0"))));
        } else if (!sequences.isEmpty()) {
            found.add(InspectionFinding.note(
                    "native sequences",
                    "after a crash of the server, acknowledged values can repeat, also with NOCACHE"));
        }
        return found;
    }

    private void checkCommits() {
        String flush = variable(FLUSH, "1");
        if (!flush.equals("1")) {
            loses(FLUSH, "is " + flush + ": a crash loses acknowledged commits", setNow(FLUSH));
        }
        String sync = variable("sync_binlog", "1");
        if (isOn("log_bin") && !sync.equals("1")) {
            loses("sync_binlog", """
                    is %s with the binary log on: recovery from a power cut drops commits \
                    that the log misses""".formatted(sync), setNow("sync_binlog"));
        }
        String pages = variable("innodb_doublewrite", "ON").toUpperCase(Locale.ROOT);
        if (TORN_PAGES.contains(pages)) {
            loses("innodb_doublewrite", """
                    is %s: a power cut can leave half a page, and with \
                    it lose committed rows""".formatted(pages), setAtStart("innodb_doublewrite = ON"));
        }
        String method = variable("innodb_flush_method", "fsync");
        if (method.equalsIgnoreCase("nosync")) {
            loses(
                    "innodb_flush_method",
                    "is " + method + ": a power cut loses acknowledged commits",
                    setAtStart("innodb_flush_method = O_DIRECT"));
        }
        if (!Set.of("OFF", "0").contains(variable("read_only", "OFF")) && !cluster) { // or NO_LOCK
            findings.add(InspectionFinding.note("read_only", """
                            is ON: this is a replica, or was made one; its counters follow those of its source"""));
        }
    }

    private static String setNow(String variable) {
        return "SET GLOBAL " + variable + " = 1, and in the server's configuration";
    }

    private static String setAtStart(String setting) {
        return "set " + setting + " in the server's configuration, and restart it";
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
            findings.add(InspectionFinding.advised(
                    InspectionFault.STANDBY_LAGS,
                    "replication",
                    """
                            semi-synchronous replication %s and replicas are connected: \
                            a failover to one of them loses acknowledged commits, and \
                            their numbers are generated again""".formatted(waits ? "has given up waiting" : "is off"),
                    mariaDb ? """
                                            set rpl_semi_sync_master_enabled = ON here, and \
                                            rpl_semi_sync_slave_enabled = ON on the replicas""" : """
                                            install the plug-ins for semi-synchronous replication, and set \
                                            rpl_semi_sync_source_enabled = ON here"""));
        }
    }

    private void checkInserts(List<InspectionFinding> found) {
        if (forgetsCounters(variable("version", ""), mariaDb)) {
            found.add(InspectionFinding.advised(
                    InspectionFault.REPEATS,
                    "tables with AUTO_INCREMENT",
                    """
                    this version forgets the counters when it restarts, and generates the numbers of the last rows \
                    that were deleted again""",
                    mariaDb ? "upgrade to MariaDB 10.2.4 or later" : "upgrade to MySQL 8 or later"));
        }
        if (isOn("log_bin")
                && variable("binlog_format", "ROW").equals("STATEMENT")
                && variable(LOCK_MODE, "1").equals("2")) {
            found.add(InspectionFinding.advised(
                    InspectionFault.REPEATS,
                    LOCK_MODE,
                    """
                    is 2 and binlog_format is STATEMENT: replicas number rows that were inserted at once \
                    differently""",
                    "SET GLOBAL binlog_format = 'ROW', which affects new connections"));
        }
        if (increment().compareTo(BigInteger.ONE) > 0 && !cluster && !isGroup()) {
            found.add(InspectionFinding.note("auto_increment_increment", """
                    is %s: columns are used up %s times as fast; meant for servers that \
                    replicate to each other""".formatted(increment(), increment())));
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
        try {
            return Query.rows(connection, "SHOW REPLICAS", row -> row.getString(1))
                    .size();
        } catch (SQLException e) {
            if (!MySqlCatalog.isDenied(e)) {
                throw e;
            }
            skips.add("replication", "this user may not list the replicas (REPLICATION SLAVE)");
            return 0;
        }
    }

    private void loses(String setting, String what, String remedy) {
        findings.add(InspectionFinding.advised(InspectionFault.LOSES_COMMITS, setting, what, remedy));
    }

    private boolean isOn(String name) {
        return Set.of("ON", "1").contains(variable(name, "OFF"));
    }

    private String variable(String name, String otherwise) {
        return Optional.ofNullable(variables.get(name)).orElse(otherwise);
    }
}
