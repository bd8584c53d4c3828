// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.doctor.inventory.EngineCatalog.Generators;
import dev.seriatim.jdbc.DatabaseAccess;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads what generates numbers in a database, over a connection of its own. It creates nothing, sets nothing that outlives the
 * connection, and needs no table of this library.
 *
 * @param access the database
 * @param limits how long statements may take
 * @param columns the columns of this library's sequences, by the sequences' names; other columns are guessed from the names
 */
public record DatabaseExamination(DatabaseAccess access, InspectionLimits limits, Map<String, ColumnName> columns) {

    /** How much later than a statement's own limit the connection gives up on a server that does not answer. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    /**
     * Reads the database.
     *
     * @throws SequenceException if the database cannot be reached or read, or a named sequence or column is missing
     */
    public Inventory read() {
        return access.run(true, limits.statement().plus(GRACE), session -> {
            Optional<EngineCatalog> engine = catalog(session.product());
            return engine.isPresent() ? read(session, engine.get()) : ofCounters(session);
        });
    }

    static Optional<EngineCatalog> catalog(String product) {
        return Optional.ofNullable(
                switch (product) {
                    case "PostgreSQL" -> new PostgresCatalog();
                    case "MariaDB" -> new MySqlCatalog(true, false);
                    case "MariaDB Galera cluster" -> new MySqlCatalog(true, true);
                    case "MySQL" -> new MySqlCatalog(false, false);
                    case "SQLite" -> new SqliteCatalog();
                    default -> null;
                });
    }

    private Inventory ofCounters(DatabaseAccess.Session session) throws SQLException {
        Skips skips = new Skips();
        skips.add(session.product(), """
                        only this library's sequences are examined on this engine, and not their columns""");
        List<LibrarySequence> counters =
                states(session, skips).stream().map(LibrarySequence::alone).toList();
        checkNamed(counters);
        return Inventory.of(session.product(), access.database(), counters, skips.lines());
    }

    private Inventory read(DatabaseAccess.Session session, EngineCatalog engine) throws SQLException {
        Connection connection = session.connection();
        Skips ofCounters = new Skips();
        List<SequenceState> states = step(engine, connection, () -> states(session, ofCounters));
        Skips skips = new Skips();
        Generators read = step(engine, connection, () -> engine.read(connection, limits, skips));
        List<InspectionFinding> findings = new ArrayList<>(read.findings());
        findings.addAll(step(engine, connection, () -> engine.ownTable(connection, access.table())));
        CounterColumns counterColumns = new CounterColumns(columns);
        List<LibrarySequence> withColumns =
                step(engine, connection, () -> counterColumns.of(states, engine, connection, limits, ofCounters));
        // Beside draws, a counter that is read after its column is ahead of it.
        List<LibrarySequence> counters =
                step(engine, connection, () -> later(withColumns, states(session, new Skips())));
        checkNamed(counters);
        for (LibrarySequence counter : counters) {
            if (columns.containsKey(counter.name()) && counter.column().isEmpty()) {
                throw new Misconfigured("""
                        %s has no column %s of numbers; correct the column \
                        of sequence '%s'""".formatted(access.database(), columns.get(counter.name()), counter.name()));
            }
        }
        findings.removeIf(finding -> finding.fault() == InspectionFault.NOT_GENERATED
                && counters.stream()
                        .flatMap(counter -> counter.column().stream())
                        .anyMatch(column -> column.toString().equals(finding.subject())));
        List<String> skipped = new ArrayList<>(skips.lines());
        skipped.addAll(ofCounters.lines());
        return new Inventory(
                read.product(),
                access.database(),
                read.columns(),
                read.sequences(),
                counters,
                read.tables(),
                findings,
                skipped,
                Optional.of(engine.remedies()));
    }

    /** Reads something. */
    @FunctionalInterface
    private interface Step<R> {
        R read() throws SQLException;
    }

    /** Reads something in a transaction of its own, if the engine reads in transactions. */
    private <R> R step(EngineCatalog engine, Connection connection, Step<R> step) throws SQLException {
        engine.begin(connection, limits);
        R read = step.read();
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
        return read;
    }

    private List<SequenceState> states(DatabaseAccess.Session session, Skips skips) throws SQLException {
        try {
            return session.sequences();
        } catch (Misconfigured e) {
            skips.add("table " + access.table(), String.valueOf(e.getMessage()));
            return List.of();
        }
    }

    private static List<LibrarySequence> later(List<LibrarySequence> counters, List<SequenceState> states) {
        Map<String, SequenceState> now = new HashMap<>();
        states.forEach(state -> now.put(state.definition().name(), state));
        return counters.stream()
                .map(counter -> new LibrarySequence(
                        now.getOrDefault(counter.name(), counter.state()), counter.column(), counter.extremes()))
                .toList();
    }

    private void checkNamed(List<LibrarySequence> counters) {
        columns.keySet().forEach(name -> {
            if (counters.stream().noneMatch(counter -> counter.name().equals(name))) {
                throw new Misconfigured(name, """
                        table %s of %s has no such sequence, or it could not be read; correct the name of the \
                        sequence""".formatted(access.table(), access.database()));
            }
        });
    }

    /**
     * Runs one statement that only raises a counter.
     *
     * @throws IllegalArgumentException if the remedy is of another kind
     * @throws SequenceException if the statement fails, or the database cannot be reached
     */
    public void mend(Remedy remedy) {
        if (remedy.kind() != Remedy.Kind.RAISES) {
            throw new IllegalArgumentException("not a statement that only raises: " + remedy);
        }
        access.run(false, limits.statement().plus(GRACE), session -> {
            try (Statement statement = session.connection().createStatement()) {
                statement.setEscapeProcessing(false);
                statement.setQueryTimeout((int) Math.max(
                        1, Math.min(Integer.MAX_VALUE, limits.statement().toSeconds())));
                return statement.execute(remedy.text());
            } catch (SQLException e) {
                if (session.isLost()) {
                    throw e;
                }
                throw new Misconfigured("""
                        %s refuses %s (%s); run it as the owner of the sequence, or again if another session held \
                        it""".formatted(access.database(), remedy.text(), access.message(e)), e);
            }
        });
    }
}
