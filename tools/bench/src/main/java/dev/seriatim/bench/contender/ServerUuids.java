// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.contender;

import dev.seriatim.bench.load.Iteration;
import dev.seriatim.bench.site.Key;
import dev.seriatim.cli.option.EngineSql.UuidSql;
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
