// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import java.math.BigInteger;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Finds settings of a server of MySQL or MariaDB that lose commits or repeat numbers. Not thread-safe. */
final class MySqlServer {

    /** Variables that this server does not have are missing in the answer. */
    private static final String VARIABLES = """
            SHOW GLOBAL VARIABLES WHERE Variable_name IN ('auto_increment_increment', 'auto_increment_offset', \
            'binlog_format', 'group_replication_group_name', 'innodb_autoinc_lock_mode', 'innodb_doublewrite', \
            'innodb_flush_log_at_trx_commit', 'innodb_flush_method', 'log_bin', 'lower_case_table_names', 'read_only', \
            'rpl_semi_sync_master_enabled', 'rpl_semi_sync_source_enabled', 'sync_binlog', 'version', \
            'wsrep_auto_increment_control', 'wsrep_provider')""";

    private static final String STATUS = """
            SHOW GLOBAL STATUS WHERE Variable_name IN ('Slaves_connected', 'Innodb_redo_log_enabled', \
            'Rpl_semi_sync_master_status', 'Rpl_semi_sync_source_status')""";

    private static final String FLUSH = "innodb_flush_log_at_trx_commit";
    private static final String LOCK_MODE = "innodb_autoinc_lock_mode";

    private static final Set<String> TORN_PAGES = Set.of("OFF", "0", "DETECT_ONLY");
    private final MySqlCatalog catalog;
    private final boolean ofCluster;
    private final Map<String, String> variables = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    MySqlServer(MySqlCatalog catalog, boolean ofCluster) {
        this.catalog = catalog;
        this.ofCluster = ofCluster;
    }

    void read() throws SQLException {
        for (String sql : List.of(VARIABLES, STATUS)) {
            catalog.rows(sql, row -> variables.put(row.getString(1), String.valueOf(row.getString(2))));
        }
    }

    void check() throws SQLException {
        checkCommits();
        checkReplicas();
    }

    String product() {
        return (catalog.mariaDb ? "MariaDB " : "MySQL ") + variable("version", "");
    }

    /** Returns whether several nodes accept writes. Without a provider, a server that was set up for a cluster is alone. */
    boolean isCluster() {
        return ofCluster && !variable("wsrep_provider", "none").equalsIgnoreCase("none");
    }

    /** Returns a table's name as the server stores it. */
    String stored(String table) {
        return variable("lower_case_table_names", "0").equals("1") ? table.toLowerCase(Locale.ROOT) : table;
    }

    /** Returns the distance between the numbers of an {@code AUTO_INCREMENT} column. */
    BigInteger increment() {
        return new BigInteger(variable("auto_increment_increment", "1"));
    }

    /** Returns the first number that is generated from a counter on. */
    BigInteger generated(BigInteger counter) {
        BigInteger step = increment();
        BigInteger offset = new BigInteger(variable("auto_increment_offset", "1"));
        // The server ignores an offset beyond the increment.
        BigInteger from = offset.compareTo(step) > 0 ? BigInteger.ONE : offset;
        return counter.add(from.subtract(counter).mod(step));
    }

    /** Finds what is wrong only because of what is in the databases. */
    void checkUse(List<NumberSource> sources) {
        if (sources.stream().anyMatch(source -> source.kind() == NumberSource.Kind.AUTO_INCREMENT)) {
            checkInserts();
        }
        List<NumberSource> sequences =
                sources.stream().filter(NumberSource::isSequence).toList();
        if (isCluster()) {
            sequences.stream()
                    .filter(sequence -> sequence.increment().signum() != 0)
                    .forEach(sequence -> catalog.findings.add(Fault.REPEATS.of(
                            sequence.name(),
                            """
                            the nodes of the cluster deal the same values, since its increment is \
                            %s and not 0""".formatted(sequence.increment()),
                            MySqlCatalog.alter("SEQUENCE", sequence.name(), "INCREMENT BY 0"))));
            if (!sequences.isEmpty() && isOn("wsrep_auto_increment_control")) {
                catalog.note("native sequences", """
                        when a node leaves or joins, nodes deal the same values; configure \
                        wsrep_auto_increment_control = OFF and an offset for each""");
            }
        } else if (!sequences.isEmpty()) {
            catalog.note("native sequences", """
                    after a crash of the server, acknowledged values can repeat, also with NOCACHE""");
        }
    }

    private void checkCommits() {
        String flush = variable(FLUSH, "1");
        if (!flush.equals("1")) {
            catalog.loses(FLUSH, "is " + flush + ": a crash loses acknowledged commits", setNow(FLUSH));
        }
        String sync = variable("sync_binlog", "1");
        if (isOn("log_bin") && !sync.equals("1")) {
            catalog.loses("sync_binlog", """
                    is %s with the binary log on: recovery from a power cut drops commits \
                    that the log misses""".formatted(sync), setNow("sync_binlog"));
        }
        String pages = variable("innodb_doublewrite", "ON").toUpperCase(Locale.ROOT);
        if (TORN_PAGES.contains(pages)) {
            catalog.loses("innodb_doublewrite", """
                    is %s: a power cut can leave half a page, and with \
                    it lose committed rows""".formatted(pages), setAtStart("innodb_doublewrite = ON"));
        }
        String method = variable("innodb_flush_method", "fsync");
        if (method.equalsIgnoreCase("nosync")) {
            catalog.loses("innodb_flush_method", """
                    is nosync: a power cut loses acknowledged commits""", setAtStart("innodb_flush_method = O_DIRECT"));
        }
        if (variable("Innodb_redo_log_enabled", "ON").equals("OFF")) {
            catalog.loses("redo log", """
                    is disabled: a crash loses acknowledged commits, and the tables""", """
                    ALTER INSTANCE ENABLE INNODB REDO_LOG""");
        }
    }

    private static String setNow(String variable) {
        return "SET GLOBAL " + variable + " = 1, and in the server's configuration";
    }

    private static String setAtStart(String setting) {
        return "set " + setting + " in the server's configuration, and restart it";
    }

    private void checkReplicas() throws SQLException {
        if (isCluster()) {
            return;
        }
        String sources = catalog.mariaDb ? "SHOW ALL SLAVES STATUS" : "SHOW REPLICA STATUS";
        if (!Set.of("OFF", "0").contains(variable("read_only", "OFF"))) { // or NO_LOCK
            catalog.note("read_only", """
                    is ON: this is a replica, or was made one; its source deals again what a privileged user inserts""");
        } else if (increment().equals(BigInteger.ONE) && !isGroup() && rows(sources, "sources (REPLICA MONITOR)") > 0) {
            catalog.findings.add(Fault.TWO_MASTERS.of("replication", """
                    this server follows another and accepts inserts: both deal the same numbers""", """
                    SET GLOBAL read_only = ON, or on both auto_increment_increment = 2 and different offsets"""));
        }
        int replicas = catalog.mariaDb
                ? Integer.parseInt(variable("Slaves_connected", "0"))
                : rows("SHOW REPLICAS", "replicas (REPLICATION SLAVE)");
        boolean waits = isOn("rpl_semi_sync_master_enabled") || isOn("rpl_semi_sync_source_enabled");
        boolean gaveUp = variable("Rpl_semi_sync_master_status", "ON").equals("OFF")
                || variable("Rpl_semi_sync_source_status", "ON").equals("OFF");
        if (!isGroup() && replicas > 0 && (!waits || gaveUp)) {
            String how = waits ? "has given up waiting" : "is off";
            catalog.findings.add(Fault.STANDBY_LAGS.of("replication", """
                    semi-synchronous replication %s and replicas are connected: a failover to one of them loses \
                    acknowledged commits, and their numbers are generated again""".formatted(how), catalog.mariaDb ? """
                    set rpl_semi_sync_master_enabled = ON here, and rpl_semi_sync_slave_enabled = ON on the \
                    replicas""" : """
                    install the plug-ins for semi-synchronous replication, and set rpl_semi_sync_source_enabled = ON \
                    here"""));
        }
    }

    private void checkInserts() {
        if (isOn("log_bin")
                && variable("binlog_format", "ROW").equals("STATEMENT")
                && variable(LOCK_MODE, "1").equals("2")) {
            catalog.findings.add(Fault.REPEATS.of(LOCK_MODE, """
                    is 2 and binlog_format is STATEMENT: replicas number rows that were inserted at once \
                    differently""", """
                    SET GLOBAL binlog_format = 'ROW', which affects new connections"""));
        }
        if (increment().compareTo(BigInteger.ONE) > 0 && !isCluster() && !isGroup()) {
            catalog.note("auto_increment_increment", """
                    is %1$s: columns are used up %1$s times as fast; meant for servers that \
                    replicate to each other""".formatted(increment()));
        }
    }

    private boolean isGroup() {
        return !variable("group_replication_group_name", "").isEmpty();
    }

    private int rows(String sql, String what) throws SQLException {
        try {
            return catalog.rows(sql, row -> row.getString(1)).size();
        } catch (SQLException e) {
            if (!MySqlCatalog.isDenied(e)) {
                throw e;
            }
            catalog.skips.add("replication", "this user may not list the " + what);
            return 0;
        }
    }

    private boolean isOn(String name) {
        return Set.of("ON", "1").contains(variable(name, "OFF"));
    }

    private String variable(String name, String otherwise) {
        return variables.getOrDefault(name, otherwise);
    }
}
