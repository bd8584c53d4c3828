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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads what generates numbers in a database, over a connection of its own. It creates nothing, sets nothing that outlives the
 * connection, and needs no table of this library.
 *
 * @param columns the columns of this library's sequences, by the sequences' names; other columns are guessed from the names
 */
public record DatabaseExamination(DatabaseAccess access, InspectionLimits limits, Map<String, ColumnName> columns) {

    /** How much later than a statement's own limit the connection gives up on a server that does not answer. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    /** Reads the database. Throws {@link SequenceException} if that fails, or a named sequence or column is missing. */
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
            case "SQL Server (written to its documentation; not run)" -> new SqlServerCatalog(connection, limits);
            case "Spanner", "Spanner (PostgreSQL dialect)" -> new SpannerCatalog(connection, limits, product);
            default -> null;
        };
    }

    private Inventory ofCounters(DatabaseAccess.Session session) throws SQLException {
        Skips skips = new Skips();
        List<InspectionFinding> findings = new ArrayList<>();
        skips.add(session.product(), """
                        only this library's sequences are examined on this engine, and not their columns""");
        List<NumberSource> counters = counters(states(session, skips, findings), Map.of());
        return Inventory.of(session.product(), access.database(), counters, findings, skips.lines());
    }

    private Inventory read(DatabaseAccess.Session session, EngineCatalog engine) throws SQLException {
        engine.begin();
        List<SequenceState> states = states(session, engine.skips, engine.findings);
        // Beside draws, a sequence that is read after its column is ahead of it.
        Map<String, Extent> extents = extents(states, engine);
        List<NumberSource> sources = new ArrayList<>(engine.sources());
        engine.checkOwnTable(access.table());
        engine.begin();
        sources.addAll(counters(states.isEmpty() ? states : states(session, engine.skips, engine.findings), extents));
        columns.forEach((name, column) -> {
            NumberSource source = sources.stream()
                    .filter(one -> !one.isColumn() && one.name().toString().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new Misconfigured(name, """
                        table %s of %s has no such sequence, or it could not be read; correct its name, with the schema \
                        if it is a native one""".formatted(access.table(), access.database())));
            Extent extent = extents.get(name);
            if (extent == null) {
                throw new Misconfigured("""
                        %s has no column %s of numbers; correct the column \
                        of sequence '%s'""".formatted(access.database(), column, name));
            }
            if (source.kind() == NumberSource.Kind.BIT_REVERSED) {
                engine.skips.add(column.toString(), """
                        bit-reversed numbers are compared only where the column's default draws them""");
            } else if (source.isSequence()) {
                sources.set(sources.indexOf(source), source.and(extent));
            }
        });
        engine.findings.removeIf(finding -> finding.fault() == Fault.NOT_GENERATED
                && extents.values().stream()
                        .anyMatch(extent -> extent.column().toString().equals(finding.subject())));
        return new Inventory(
                engine.product(),
                access.database(),
                sources,
                engine.met(sources),
                engine.tables,
                engine.findings,
                engine.skips.lines(),
                Optional.of(engine.remedies()));
    }

    /** Returns the columns that exist, by the names of their sequences. */
    private Map<String, Extent> extents(List<SequenceState> states, EngineCatalog engine) throws SQLException {
        Map<String, Set<ColumnPath>> candidates = new LinkedHashMap<>();
        for (SequenceState state : states) {
            String name = state.definition().name();
            candidates.put(name, candidates(name));
        }
        columns.forEach((name, column) -> candidates.put(name, Set.of(ColumnPath.of(column))));
        List<ColumnPath> all =
                candidates.values().stream().flatMap(Set::stream).distinct().toList();
        Map<ColumnPath, Extent> found = columns.isEmpty()
                ? engine.part("columns of this library's sequences", Map.of(), () -> engine.extents(all))
                : engine.extents(all);
        Map<String, Extent> extents = new HashMap<>();
        candidates.forEach((name, paths) -> {
            List<Extent> fitting =
                    paths.stream().map(found::get).filter(Objects::nonNull).toList();
            if (fitting.size() == 1) {
                extents.put(name, fitting.get(0));
            } else if (fitting.size() > 1) {
                String names =
                        fitting.stream().map(one -> one.column().toString()).collect(Collectors.joining(", "));
                engine.skips.add("sequence " + name, """
                        its name fits several columns (%s); say which holds its numbers""".formatted(names));
            }
        });
        return extents;
    }

    /** Returns the columns that a sequence's name may mean: {@code orders.id}, {@code orders_id}, {@code orders_id_seq}. */
    private static Set<ColumnPath> candidates(String name) {
        Set<ColumnPath> candidates = new LinkedHashSet<>();
        for (String stem : List.of(name, name.replaceFirst("(?i)_seq$", ""))) {
            int dot = stem.lastIndexOf('.');
            if (dot > 0 && dot < stem.length() - 1) {
                int before = stem.indexOf('.');
                String schema = before < dot ? stem.substring(0, before) : "";
                String table = stem.substring(before < dot ? before + 1 : 0, dot);
                candidates.add(new ColumnPath(new ObjectName(schema, table), stem.substring(dot + 1)));
                continue;
            }
            for (int at = stem.indexOf('_', 1); at > 0 && at < stem.length() - 1; at = stem.indexOf('_', at + 1)) {
                candidates.add(new ColumnPath(new ObjectName("", stem.substring(0, at)), stem.substring(at + 1)));
            }
        }
        return candidates;
    }

    private List<SequenceState> states(DatabaseAccess.Session session, Skips skips, List<InspectionFinding> findings)
            throws SQLException {
        try {
            return session.sequences((name, why) -> findings.add(InspectionFinding.broken(name, why)));
        } catch (Misconfigured e) {
            skips.add("table " + access.table(), String.valueOf(e.getMessage()));
            return List.of();
        }
    }

    private List<NumberSource> counters(List<SequenceState> states, Map<String, Extent> extents) {
        return states.stream()
                .map(state -> {
                    Optional<Extent> extent =
                            Optional.ofNullable(extents.get(state.definition().name()));
                    return NumberSource.of(state, extent.map(Extent::column), extent.flatMap(Extent::held));
                })
                .toList();
    }

    /** Runs statements that only raise a counter. Returns why some were refused. */
    public Map<Remedy, String> mend(List<Remedy> raises) {
        return access.run(false, limits.statement().plus(GRACE), session -> {
            Map<Remedy, String> refused = new LinkedHashMap<>();
            try (Statement statement = session.connection().createStatement()) {
                statement.setEscapeProcessing(false);
                statement.setQueryTimeout((int) Math.max(
                        1, Math.min(Integer.MAX_VALUE, limits.statement().toSeconds())));
                for (Remedy remedy : raises) {
                    try {
                        statement.execute(remedy.text());
                    } catch (SQLException e) { // this user may be able to raise the others
                        if (session.isLost()) {
                            throw e;
                        }
                        refused.put(remedy, """
                                %s refuses %s (%s); run it as the owner of the sequence, or again if another session \
                                held it""".formatted(access.database(), remedy.text(), access.message(e)));
                    }
                }
            }
            return refused;
        });
    }
}
