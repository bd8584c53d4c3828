// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.engine.jdbc.connections.spi.JdbcConnectionAccess;
import org.hibernate.engine.jdbc.env.spi.IdentifierHelper;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.Table;
import org.jspecify.annotations.Nullable;

/**
 * Compares sequences with the columns that hold their numbers, which another generator may have filled.
 *
 * @param factory reads the columns on its own connection, since the sequences may be in another database
 * @param raises whether a sequence that has dealt nothing is raised above its columns, rather than refused
 */
record ColumnComparison(SessionFactoryImplementor factory, OpenSequences sequences, boolean raises) {

    private static final System.Logger LOG = System.getLogger(ColumnComparison.class.getName());

    /** Seconds. A table may be locked, or a large column have no index. */
    private static final int LONGEST_READ = 3;

    /** The value of a column that is furthest in the direction of the sequence. */
    private record Extreme(ColumnName column, long value) {}

    /**
     * Throws {@link SequenceException.Misconfigured} if a column may hold numbers that its sequence will deal. Skips, with
     * a warning, what cannot be read.
     *
     * @param columns the columns by the names of their sequences
     */
    void run(Map<String, ? extends Collection<Place>> columns) {
        if (columns.isEmpty()) {
            return;
        }
        Map<String, String> remedies = new TreeMap<>(); // by what is behind
        JdbcConnectionAccess access = factory.getJdbcServices().getBootstrapJdbcConnectionAccess();
        try {
            Connection connection = access.obtainConnection();
            try {
                columns.forEach((name, places) -> {
                    Extreme extreme = extreme(connection, name, places);
                    if (extreme != null && !isBeyond(name, extreme)) {
                        String column = OpenSequences.word(extreme.column().toString());
                        remedies.put(
                                "'" + name + "' (" + extreme.column() + " has reached " + extreme.value() + ")",
                                sequences.command("sync " + OpenSequences.word(name) + " --column " + column));
                    }
                });
            } finally {
                access.releaseConnection(connection);
            }
        } catch (SQLException | UnsupportedOperationException e) { // the second if the program supplies connections
            warn(columns.keySet(), e);
        }
        if (!remedies.isEmpty()) {
            throw new SequenceException.Misconfigured(
                    "the next numbers of %s may be in use; stop any other generator of them, and run %s"
                            .formatted(String.join(", ", remedies.keySet()), String.join(" and ", remedies.values())));
        }
    }

    private static void warn(Object what, Exception e) {
        String why = String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
        LOG.log(System.Logger.Level.WARNING, "{0}: not compared with the rows at start-up: {1}", what, why);
    }

    /** Reads the sequence after its columns, so that it is beyond all that was drawn and stored meanwhile. */
    private boolean isBeyond(String name, Extreme extreme) {
        SequenceState state = sequences.store().describe(name);
        boolean dealtNothing = state.nextValue() == state.definition().start() && !state.usedUp();
        if (raises && dealtNothing && !state.isBeyond(extreme.value())) { // by each process that starts now; never back
            long next = state.nextBeyond(extreme.value());
            sequences.store().raise(name, next);
            String text = "sequence ''{0}'' begins with {1,number,#}, after the rows; stop any other generator of them";
            LOG.log(System.Logger.Level.INFO, text, name, next);
            return true;
        }
        return state.isBeyond(extreme.value());
    }

    /** Returns the value of a sequence's columns that is furthest in its direction, among those of the sequence. */
    private @Nullable Extreme extreme(Connection connection, String name, Collection<Place> places) {
        SequenceState state = sequences.store().describe(name);
        SequenceDefinition definition = state.definition();
        Comparator<Extreme> order = Comparator.comparingLong(Extreme::value);
        return places.stream()
                .filter(place -> !definition.cycle())
                .flatMap(place -> place.columns().stream()
                        .flatMap(column -> place.tables().flatMap(table -> {
                            try {
                                return extreme(connection, name(table, column), state);
                            } catch (SQLException
                                    | SequenceException.Misconfigured e) { // unreadable, or not to be quoted
                                warn(table.getName() + "." + column.getName(), e);
                                return Stream.empty();
                            }
                        })))
                .max(definition.ascending() ? order : order.reversed())
                .orElse(null);
    }

    private static Stream<Extreme> extreme(Connection connection, ColumnName column, SequenceState state)
            throws SQLException {
        SequenceDefinition definition = state.definition();
        String quote = connection.getMetaData().getIdentifierQuoteString();
        String quoted = quote + column.column() + quote;
        long step = Math.abs(definition.increment());
        // Others may use the values between: databases that share a range deal, for example, every tenth value each.
        // Not relative to the start, since a restart may have moved it to other values than those.
        String own = step == 1
                ? ""
                : " AND (%s %% %2$d + %2$d) %% %2$d = %3$d"
                        .formatted(quoted, step, Math.floorMod(state.nextValue(), step));
        String sql = "SELECT %s FROM %s WHERE %1$s BETWEEN ? AND ?%s ORDER BY %1$s %s LIMIT 1"
                .formatted(
                        quoted,
                        column.tableInSql(part -> quote + part + quote),
                        own,
                        definition.ascending() ? "DESC" : "ASC");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int before = statement.getQueryTimeout(); // H2 keeps it for the connection
            statement.setQueryTimeout(LONGEST_READ);
            try {
                statement.setLong(1, definition.min());
                statement.setLong(2, definition.max());
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? Stream.of(new Extreme(column, row.getLong(1))) : Stream.empty();
                }
            } finally {
                statement.setQueryTimeout(before);
            }
        } finally {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        }
    }

    /** Returns a column's name, as the database's catalogue has it. */
    private ColumnName name(Table table, Column column) {
        SqlStringGenerationContext names = factory.getSqlStringGenerationContext();
        JdbcEnvironment environment = factory.getJdbcServices().getJdbcEnvironment();
        IdentifierHelper cases = environment.getIdentifierHelper();
        boolean schemas = environment.getNameQualifierSupport().supportsSchemas();
        Identifier schema = schemas
                ? names.schemaWithDefault(table.getSchemaIdentifier())
                : names.catalogWithDefault(table.getCatalogIdentifier());
        return new ColumnName(
                Optional.ofNullable(schema).map(schemas ? cases::toMetaDataSchemaName : cases::toMetaDataCatalogName),
                cases.toMetaDataObjectName(table.getNameIdentifier()),
                cases.toMetaDataObjectName(Identifier.toIdentifier(column.getName(), column.isQuoted())));
    }
}
