// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates databases on a server. */
final class Databases {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final AtomicInteger NEXT = new AtomicInteger(1);

    private Databases() {}

    static String freshName() {
        // The process id separates JVMs that share a user's server.
        return "t_%d_%d".formatted(ProcessHandle.current().pid(), NEXT.getAndIncrement());
    }

    /** Creates a database on the first node, and waits until the others have it too. */
    static List<Database> create(String name, List<Database> nodes) {
        try {
            nodes.get(0).execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot create a database on " + nodes.get(0) + ": " + e.getMessage(), e);
        }
        List<Database> created = nodes.stream().map(node -> in(node, name)).toList();
        created.forEach(database -> Waiting.until(PATIENCE, "the database " + database, () -> isThere(database)));
        return created;
    }

    /** Drops a database, even while there are connections to it. */
    static void drop(String name, Database server) {
        boolean forces = server.url().startsWith("jdbc:postgresql:");
        try {
            // Other engines wait for open transactions, by default for a day.
            server.execute(
                    forces ? "SELECT 1" : "SET SESSION lock_wait_timeout = 5",
                    "DROP DATABASE " + name + (forces ? " WITH (FORCE)" : ""));
        } catch (SQLException e) {
            throw new IllegalStateException("cannot drop " + name + " on " + server + ": " + e.getMessage(), e);
        }
    }

    /** Returns a database as seen through a server or node. */
    static Database in(Database node, String name) {
        return new Database(node.location().database(name), node.user(), node.password());
    }

    private static boolean isThere(Database database) {
        try (var connection = database.connect()) {
            return !connection.isClosed();
        } catch (SQLException e) {
            return false;
        }
    }
}
