// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.jdbc.natives.NativeEngine;
import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** What the engines of PostgreSQL's family have in common for native sequences. */
interface PostgresNative extends NativeEngine {

    @Override
    default String rights() {
        return "to draw: GRANT USAGE ON SEQUENCE, to look: GRANT SELECT; only its owner may change it";
    }

    @Override
    default SequenceDefinition definition(Connection connection, String name) throws SQLException {
        return PostgresSequenceSql.definition(connection, name);
    }

    @Override
    default SequenceState state(Connection connection, String name) throws SQLException {
        return PostgresSequenceSql.state(connection, name);
    }

    @Override
    default List<String> names(Connection connection) throws SQLException {
        return PostgresSequenceSql.names(connection);
    }

    @Override
    default boolean exhausted(SQLException e) {
        return PostgresDraw.exhausted(e);
    }

    @Override
    default void create(Connection connection, SequenceDefinition definition) throws SQLException {
        PostgresSequenceSql.create(this, connection, definition);
    }

    @Override
    default void drop(Connection connection, String name) throws SQLException {
        PostgresSequenceSql.drop(this, connection, name);
    }

    @Override
    default boolean refused(SQLException e) {
        return PostgresSequenceSql.refused(e);
    }
}
