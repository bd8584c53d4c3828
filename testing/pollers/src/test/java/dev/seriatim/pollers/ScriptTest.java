// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pollers;

import dev.seriatim.servers.Database;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/** A loop in a shell around {@code psql} or {@code mariadb}. */
class ScriptTest extends PollerContract {
    private static final String PSQL = "psql -XAt -F ' ' -h \"$HOST\" -p \"$PORT\" -U \"$LOGIN\" \"$DATABASE\" -c";
    private static final String MARIADB =
            "mariadb --no-defaults -NB -h \"$HOST\" -P \"$PORT\" -u \"$LOGIN\" \"$DATABASE\" -e";
    private static final String LOOP = """
            last=0
            while :; do
                rows=$(%s "SELECT $1, id FROM $2 WHERE $1 > $last ORDER BY $1 LIMIT 10000") || exit 1
                if [ -n "$rows" ]; then
                    echo "$rows"
                    last=$(echo "$rows" | awk 'END { print $1 }')
                else
                    sleep 0.1
                fi
            done
            """;

    @Override
    Poller start(Source source, Polled polled) throws Exception {
        String client = source.isPostgresql() ? PSQL : MARIADB;
        Assumptions.assumeTrue(
                ForeignProgram.isInstalled(client.substring(0, client.indexOf(' '))), "the client is not installed");
        Database database = source.database();
        String[] server = database.hostAndPort().split(":", 2);
        Map<String, String> environment = Map.of(
                "HOST", server[0],
                "PORT", server[1],
                "DATABASE", database.name(),
                "LOGIN", database.user(),
                "PGPASSWORD", database.password(),
                "MYSQL_PWD", database.password());
        List<String> command = List.of("sh", "-c", LOOP.formatted(client), "sh", source.column(), source.table());
        ForeignProgram script = new ForeignProgram(folder, "script", command, environment);
        return script.reading(script.output(), row -> {
            String[] columns = row.split("\\s", 2);
            polled.row(Long.parseLong(columns[0]), Long.parseLong(columns[1]));
        });
    }
}
