// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.contender;

import dev.seriatim.lab.bench.load.Iteration;
import dev.seriatim.lab.bench.site.EngineSql.UuidSql;
import dev.seriatim.lab.bench.site.Key;
import java.util.UUID;

/** Asks the server for UUIDs. */
final class ServerUuids {

    private ServerUuids() {}

    static Iteration in(Stage stage) {
        UuidSql sql = stage.site().engine().uuids().orElseThrow();
        Setting.Use use = stage.plan().setting().use();
        if (use.insertsRows()) {
            // One row or many: the server makes the key in the statement that inserts it.
            return ServerBulkInsert.with(sql.asKey(), stage);
        }
        return new ServerQuery(stage, "SELECT " + sql.asText(), row -> Key.folded(UUID.fromString(row.getString(1))));
    }
}
