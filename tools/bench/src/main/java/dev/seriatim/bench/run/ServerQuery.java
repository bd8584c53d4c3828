// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.bench.load.DrawLog;
import dev.seriatim.bench.load.Iteration;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Asks the server for a key by a query, on a connection that each client has to itself if there are as many, before an
 * application transaction.
 * Each client has a connection and a statement of its own.
 */
final class ServerQuery implements Iteration {

    /** Reads the key from a row of the result, as a number. */
    interface Reading {
        long read(ResultSet row) throws SQLException;
    }

    private final Stage stage;
    private final String query;
    private final Reading reading;

    ServerQuery(Stage stage, String query, Reading reading) {
        this.stage = stage;
        this.query = query;
        this.reading = reading;
    }

    @Override
    public boolean run(DrawLog draw) {
        throw new IllegalStateException("each client needs its own connection");
    }

    @Override
    public Iteration ofOneClient() {
        if (stage.plan().threads() > stage.site().clients()) {
            return stage.drawing(this::borrowAndAsk);
        }
        Connection connection = stage.site().connect();
        stage.onClose(() -> close(connection));
        try {
            PreparedStatement statement = connection.prepareStatement(query);
            return stage.drawing(() -> ask(statement));
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private long borrowAndAsk() {
        try (Connection connection = stage.site().connect();
                PreparedStatement statement = connection.prepareStatement(query)) {
            return ask(statement);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private long ask(PreparedStatement statement) {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return reading.read(row);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private Unavailable failed(SQLException e) {
        return new Unavailable("'" + query + "' failed (" + e.getMessage() + ")", e);
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // The connection is discarded in either case.
        }
    }
}
