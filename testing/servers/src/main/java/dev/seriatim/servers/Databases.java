// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Creates databases on a server. */
final class Databases {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    // Separates the JVMs that share a server. Process ids are reused.
    private static final String JVM = UUID.randomUUID().toString().substring(0, 8);
    private static final AtomicInteger NEXT = new AtomicInteger(1);

    private Databases() {}

    static String freshName() {
        return "t_" + JVM + "_" + NEXT.getAndIncrement();
    }

    /** Creates a database on the first node, and waits until the others have it too. */
    static List<Database> create(String name, List<Database> nodes) {
        // H2 creates it with the first connection to it.
        boolean h2 = nodes.get(0).url().startsWith("jdbc:h2:");
        execute(h2 ? nodes.get(0).named(name) : nodes.get(0), h2 ? "SELECT 1" : "CREATE DATABASE " + name);
        List<Database> created = nodes.stream().map(node -> node.named(name)).toList();
        created.stream()
                .skip(1)
                .forEach(database -> Waiting.until(PATIENCE, "the database " + database, () -> isThere(database)));
        return created;
    }

    /** Creates a database on a user's server, or on the nodes of a cluster, given as URLs separated by spaces; drops it at exit. */
    static List<Database> createOnUsers(String urls, String name) {
        List<Database> nodes =
                Stream.of(urls.strip().split("\\s+", -1)).map(Database::parse).toList();
        List<Database> created = create(name, nodes);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> drop(name, nodes.get(0))));
        return created;
    }

    /** Drops a database, even while there are connections to it. */
    static void drop(String name, Database server) {
        boolean forces = server.url().startsWith("jdbc:postgresql:");
        // Other engines wait for open transactions, by default for a day.
        String waits = server.url().startsWith("jdbc:sqlserver:")
                ? "ALTER DATABASE " + name + " SET SINGLE_USER WITH ROLLBACK IMMEDIATE"
                : "SET SESSION lock_wait_timeout = 5";
        execute(server, forces ? "SELECT 1" : waits, "DROP DATABASE " + name + (forces ? " WITH (FORCE)" : ""));
    }

    private static void execute(Database server, String... statements) {
        try {
            server.execute(statements);
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "%s: %s fails: %s".formatted(server, String.join("; ", statements), e.getMessage()), e);
        }
    }

    private static boolean isThere(Database database) {
        try (var connection = database.connect()) {
            return !connection.isClosed();
        } catch (SQLException e) {
            return false;
        }
    }
}
