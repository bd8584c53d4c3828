// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.inspect.ColumnPath;
import dev.seriatim.jdbc.inspect.CounterColumns;
import dev.seriatim.jdbc.inspect.EngineInspection;
import dev.seriatim.jdbc.inspect.InspectionFault;
import dev.seriatim.jdbc.inspect.InspectionFinding;
import dev.seriatim.jdbc.inspect.InspectionLimits;
import dev.seriatim.jdbc.inspect.InspectionSupport;
import dev.seriatim.jdbc.inspect.Inventory;
import dev.seriatim.jdbc.inspect.LibrarySequence;
import dev.seriatim.jdbc.inspect.ObjectName;
import dev.seriatim.jdbc.inspect.Remedy;
import dev.seriatim.jdbc.inspect.Skips;
import dev.seriatim.jdbc.sql.CounterRows;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.SqlFailures;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.StoreUrl;
import dev.seriatim.table.Layout;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads what generates numbers in the database of a store's URL. Opens a connection of its own and no store: it creates nothing,
 * sets nothing that outlives the connection, and needs no table of this library.
 *
 * <p>Immutable and thread-safe.
 */
public final class DatabaseInspection {

    private static final String SQLITE = "sqlite:";
    private static final String JDBC = "jdbc:";

    /** How much later than a statement's own limit the connection gives up on a server that does not answer. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final StoreOpening opening;

    private DatabaseInspection(StoreOpening opening) {
        this.opening = opening;
    }

    /**
     * What was read.
     *
     * @param inventory the facts
     * @param engine what the engine's remedies look like; empty if only this library's sequences were read
     * @param tables those of the tables asked for that are there
     */
    public record Examined(Inventory inventory, Optional<EngineInspection> engine, Set<ObjectName> tables) {}

    /** Returns whether a store's URL leads to a database that {@link #of} takes. */
    public static boolean takes(String storeUrl) {
        return storeUrl.startsWith(SQLITE) || storeUrl.startsWith(JDBC);
    }

    /**
     * Prepares the inspection of a store's database; connects to nothing.
     *
     * @throws Misconfigured if the URL is not one of this module's, or is wrong
     */
    public static DatabaseInspection of(String storeUrl) {
        if (storeUrl.startsWith(SQLITE)) {
            return new DatabaseInspection(SqliteDriver.opening(StoreUrl.parse(storeUrl)));
        }
        if (storeUrl.startsWith(JDBC)) {
            return new DatabaseInspection(JdbcUrl.parse(storeUrl).opening());
        }
        throw new Misconfigured("store URL '" + StoreUrl.redacted(storeUrl)
                + "' names no SQL database; write sqlite:FILE or a jdbc: URL");
    }

    /** Returns the database for display, without secrets. */
    public String database() {
        return opening.database();
    }

    /**
     * Reads the database.
     *
     * @param columns the columns of this library's sequences, by the sequences' names; the names of others are guessed
     * @throws Misconfigured if the database is unknown, this user may not connect, or a named sequence or column is missing
     * @throws Unavailable if the database cannot be reached, or stops answering
     */
    public Examined read(InspectionLimits limits, Map<String, ColumnName> columns) {
        return read(limits, columns, inventory -> Set.of());
    }

    /**
     * Reads the database as {@link #read(InspectionLimits, Map)} does, and looks tables up.
     *
     * @param tables returns the tables to look up, given what was read
     */
    public Examined read(
            InspectionLimits limits, Map<String, ColumnName> columns, Function<Inventory, Set<ObjectName>> tables) {
        return with(true, limits, (connection, dialect) -> {
            if (dialect instanceof InspectionSupport support) {
                return examined(connection, dialect, support.inspection(), limits, columns, tables);
            }
            Skips skips = new Skips();
            skips.add(
                    dialect.product(),
                    "only this library's sequences are examined on this engine, and not their columns");
            List<LibrarySequence> counters = counters(connection, dialect, skips).stream()
                    .map(state -> new LibrarySequence(state, Optional.empty(), Optional.empty(), Optional.empty()))
                    .toList();
            checkNamed(columns.keySet(), counters);
            return new Examined(
                    new Inventory(
                            dialect.product(), database(), List.of(), List.of(), counters, List.of(), skips.lines()),
                    Optional.empty(),
                    Set.of());
        });
    }

    /**
     * Runs one statement that only raises a counter.
     *
     * @throws IllegalArgumentException if the remedy is of another kind
     * @throws SequenceException if the statement fails, or the database cannot be reached
     */
    public void mend(Remedy remedy, InspectionLimits limits) {
        if (remedy.kind() != Remedy.Kind.RAISES) {
            throw new IllegalArgumentException("not a statement that only raises: " + remedy);
        }
        with(false, limits, (connection, dialect) -> {
            try (Statement statement = connection.createStatement()) {
                statement.setEscapeProcessing(false);
                statement.setQueryTimeout(seconds(limits.statement()));
                return statement.execute(remedy.text());
            } catch (SQLException e) {
                if (isLost(connection)) {
                    throw e;
                }
                throw new Misconfigured(
                        database() + " refuses " + remedy.text() + " (" + why(e)
                                + "); run it as the owner of the sequence, or again if another session held it",
                        e);
            }
        });
    }

    private Examined examined(
            Connection connection,
            Dialect dialect,
            EngineInspection engine,
            InspectionLimits limits,
            Map<String, ColumnName> columns,
            Function<Inventory, Set<ObjectName>> tables)
            throws SQLException {
        Skips skips = new Skips();
        engine.begin(connection, limits);
        List<SequenceState> states = counters(connection, dialect, skips);
        ended(connection);
        engine.begin(connection, limits);
        Inventory read = engine.read(connection, limits);
        ended(connection);
        engine.begin(connection, limits);
        List<InspectionFinding> findings = new ArrayList<>(read.findings());
        findings.addAll(engine.ownTable(connection, opening.table().table()));
        ended(connection);
        engine.begin(connection, limits);
        Map<String, ColumnPath> named = new HashMap<>();
        columns.forEach((name, column) -> named.put(name, path(column)));
        List<LibrarySequence> columnsFirst = new CounterColumns(named).of(states, engine, connection, limits, skips);
        ended(connection);
        engine.begin(connection, limits);
        List<LibrarySequence> counters = later(columnsFirst, counters(connection, dialect, new Skips()));
        ended(connection);
        checkNamed(columns.keySet(), counters);
        for (LibrarySequence counter : counters) {
            String name = counter.state().definition().name();
            if (columns.containsKey(name) && counter.column().isEmpty()) {
                throw new Misconfigured(database() + " has no column " + columns.get(name)
                        + " of numbers; correct the column of sequence '" + name + "'");
            }
        }
        findings.removeIf(finding -> finding.fault() == InspectionFault.NOT_GENERATED
                && counters.stream().anyMatch(counter -> isOf(counter, finding.subject())));
        List<String> skipped = new ArrayList<>(read.skipped());
        skipped.addAll(skips.lines());
        Inventory inventory = new Inventory(
                read.product(), database(), read.columns(), read.sequences(), counters, findings, skipped);
        engine.begin(connection, limits);
        Set<ObjectName> present = engine.present(connection, tables.apply(inventory));
        ended(connection);
        return new Examined(inventory, Optional.of(engine), present);
    }

    /** Returns the sequences as they are after their columns were read: beside draws, they are ahead of those then. */
    private static List<LibrarySequence> later(List<LibrarySequence> counters, List<SequenceState> states) {
        Map<String, SequenceState> now = new HashMap<>();
        states.forEach(state -> now.put(state.definition().name(), state));
        return counters.stream()
                .map(counter -> new LibrarySequence(
                        now.getOrDefault(counter.state().definition().name(), counter.state()),
                        counter.column(),
                        counter.lowest(),
                        counter.highest()))
                .toList();
    }

    /** Returns whether a sequence of this library generates what the engine does not. */
    private static boolean isOf(LibrarySequence counter, String column) {
        return counter.column().map(ColumnPath::toString).filter(column::equals).isPresent();
    }

    private static ColumnPath path(ColumnName column) {
        return new ColumnPath(new ObjectName(column.schema().orElse(""), column.table()), column.column());
    }

    private void checkNamed(Set<String> named, List<LibrarySequence> counters) {
        Set<String> there = counters.stream()
                .map(counter -> counter.state().definition().name())
                .collect(Collectors.toSet());
        for (String name : named) {
            if (!there.contains(name)) {
                throw new Misconfigured(
                        name,
                        "table " + opening.table().table() + " of " + database()
                                + " has no such sequence, or it could not be read; correct the name of the sequence");
            }
        }
    }

    /** Reads the sequences of this library; none if there is no such table. */
    private List<SequenceState> counters(Connection connection, Dialect dialect, Skips skips) throws SQLException {
        String table = "table " + opening.table().table();
        try {
            PlacedTable place = PlacedTable.find(dialect, connection, opening.table());
            CounterRows rows = new CounterRows(place, opening.table(), Layout.of(opening.table()));
            return rows.missing(connection) ? List.of() : rows.readAll(connection);
        } catch (Misconfigured e) {
            skips.add(table, String.valueOf(e.getMessage()));
        } catch (SQLException e) {
            // Whether the connection is lost is not asked of a file that is locked: that waits for the lock again.
            if (dialect.fault(e) == Fault.CONFLICT || isLost(connection)) {
                throw e;
            }
            switch (dialect.fault(e)) {
                case MISSING_TABLE -> {}
                case DENIED -> skips.add(table, "this user may not read it (" + why(e) + ")");
                case TIMED_OUT ->
                    skips.add(table, "another session holds it, or reading it took too long (" + why(e) + ")");
                case MISSING_COLUMN ->
                    skips.add(table, "it is not a table of this library's sequences (" + why(e) + ")");
                default -> throw e;
            }
        }
        return List.of();
    }

    /** What is done with a connection. */
    @FunctionalInterface
    private interface Work<R> {
        R on(Connection connection, Dialect dialect) throws SQLException;
    }

    private <R> R with(boolean readOnly, InspectionLimits limits, Work<R> work) {
        Connection connection = opening.door().open(readOnly, limits.statement().plus(GRACE));
        try {
            boundAnswers(connection, limits);
            return work.on(connection, Dialects.of(connection));
        } catch (SQLException e) {
            throw explained(connection, e);
        } finally {
            close(connection);
        }
    }

    private SequenceException explained(Connection connection, SQLException e) {
        if (isOfFile(e)) { // its driver opens a file with the first statement
            return NoConnection.to(database(), opening.scrubbing().of(e));
        }
        return isLost(connection)
                ? new Unavailable(
                        database() + " stopped answering while it was examined (" + why(e) + "); run it again", e)
                : new Unavailable(
                        database() + " cannot be examined (" + why(e)
                                + "); allow more time for each statement, or name a user who may read its catalog",
                        e);
    }

    private boolean isOfFile(SQLException e) {
        return Dialects.fileFailure(database(), why(e), e).isPresent();
    }

    private String why(SQLException e) {
        return SqlFailures.oneLine(opening.scrubbing().of(e));
    }

    /** Ends a transaction that only read, if one is open. */
    private static void ended(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
    }

    private static boolean isLost(Connection connection) {
        try {
            return connection.isClosed() || !connection.isValid(seconds(GRACE));
        } catch (SQLException e) {
            return true;
        }
    }

    private static void boundAnswers(Connection connection, InspectionLimits limits) {
        try {
            connection.setNetworkTimeout(
                    Runnable::run,
                    Math.toIntExact(limits.statement().plus(GRACE).toMillis()));
        } catch (SQLException | ArithmeticException | AbstractMethodError unsupported) {
            // then the statements' own limits must do
        }
    }

    private static int seconds(Duration time) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, TimeUnit.MILLISECONDS.toSeconds(time.toMillis())));
    }

    private static void close(Connection connection) {
        try {
            ended(connection);
        } catch (SQLException lost) {
            // closed below
        }
        try {
            connection.close();
        } catch (SQLException lost) {
            // nothing was changed
        }
    }
}
