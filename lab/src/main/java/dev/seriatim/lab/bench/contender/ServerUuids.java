// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.contender;

import dev.seriatim.jdbc.sql.BenchmarkSql.UuidSql;
import dev.seriatim.lab.bench.load.Iteration;
import dev.seriatim.lab.bench.site.Key;
import java.util.UUID;

/** Draws UUIDs from the server. */
final class ServerUuids {

    private ServerUuids() {}

    static Iteration in(Stage stage) {
        UuidSql sql = stage.site().engine().uuids().orElseThrow();
        Setting.Use use = stage.plan().setting().use();
        if (use.insertsRows()) {
            // The server generates the key in the statement that inserts the row.
            return ServerBulkInsert.with(sql.asKey(), stage);
        }
        return new ServerQuery(stage, "SELECT " + sql.asText(), row -> Key.folded(UUID.fromString(row.getString(1))));
    }
}
