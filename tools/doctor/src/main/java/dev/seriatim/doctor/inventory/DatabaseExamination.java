// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.doctor.inventory.EngineCatalog.Extent;
import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import dev.seriatim.jdbc.DatabaseAccess;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
            EngineCatalog engine = catalog(session.product(), session.connection());
            return engine == null ? ofCounters(session) : read(session, engine);
        });
    }

    private @Nullable EngineCatalog catalog(String product, Connection connection) {
        return switch (product) {
            case "PostgreSQL" -> new PostgresCatalog(connection, limits);
            case "MariaDB" -> new MySqlCatalog(connection, limits, true, false);
            case "MariaDB Galera cluster" -> new MySqlCatalog(connection, limits, true, true);
            case "MySQL" -> new MySqlCatalog(connection, limits, false, false);
            case "SQLite" -> new SqliteCatalog(connection, limits);
            default -> null;
        };
    }

    private Inventory ofCounters(DatabaseAccess.Session session) throws SQLException {
        Skips skips = new Skips();
        skips.add(session.product(), """
                        only this library's sequences are examined on this engine, and not their columns""");
        List<NumberSource> counters = counters(states(session, skips), Map.of());
        return Inventory.of(session.product(), access.database(), counters, skips.lines());
    }

    private Inventory read(DatabaseAccess.Session session, EngineCatalog engine) throws SQLException {
        engine.begin();
        List<SequenceState> states = states(session, engine.skips);
        List<NumberSource> sources = new ArrayList<>(engine.sources());
        engine.checkOwnTable(access.table());
        List<String> names =
                states.stream().map(state -> state.definition().name()).toList();
        Map<String, Extent> extents = new CounterColumns(columns).of(names, engine);
        // Beside draws, a counter that is read after its column is ahead of it.
        engine.begin();
        List<NumberSource> counters = counters(states.isEmpty() ? states : states(session, engine.skips), extents);
        columns.forEach((name, column) -> {
            if (!extents.containsKey(name)) {
                throw new Misconfigured("""
                        %s has no column %s of numbers; correct the column \
                        of sequence '%s'""".formatted(access.database(), column, name));
            }
        });
        engine.findings.removeIf(finding -> finding.fault() == Fault.NOT_GENERATED
                && extents.values().stream()
                        .anyMatch(extent -> extent.column().toString().equals(finding.subject())));
        sources.addAll(counters);
        return new Inventory(
                engine.product(),
                access.database(),
                sources,
                engine.tables,
                engine.findings,
                engine.skips.lines(),
                Optional.of(engine.remedies()));
    }

    private List<SequenceState> states(DatabaseAccess.Session session, Skips skips) throws SQLException {
        try {
            return session.sequences();
        } catch (Misconfigured e) {
            skips.add("table " + access.table(), String.valueOf(e.getMessage()));
            return List.of();
        }
    }

    private List<NumberSource> counters(List<SequenceState> states, Map<String, Extent> extents) {
        for (String name : columns.keySet()) {
            if (states.stream().noneMatch(state -> state.definition().name().equals(name))) {
                throw new Misconfigured(name, """
                        table %s of %s has no such sequence, or it could not be read; correct the name of the \
                        sequence""".formatted(access.table(), access.database()));
            }
        }
        return states.stream()
                .map(state -> {
                    Optional<Extent> extent =
                            Optional.ofNullable(extents.get(state.definition().name()));
                    return NumberSource.of(state, extent.map(Extent::column), extent.flatMap(Extent::held));
                })
                .toList();
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
