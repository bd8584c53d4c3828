// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.table.SequenceTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The functions in PostgreSQL's PL/pgSQL, in the schema that the table is created in.
 *
 * @param table the table they are over
 */
record PostgresFunctions(SequenceTable table) implements SqlFunctions {

    private static final String NEXT = "next_val(text)";
    private static final String LAST = "last_val(text)";
    private static final String SET = "set_val(text, bigint)";
    private static final String DROP = "drop_sequence(text)";

    // The functions keep this path, so that nobody who calls them can put a table or an operator before ours. It ends
    // with the transaction.
    private static final String PATH = "DO $$ BEGIN PERFORM set_config('search_path',"
            + " quote_ident(current_schema()) || ', pg_temp', true); END $$";

    private static final String COMMENT = "SELECT COALESCE(pg_catalog.obj_description(p.oid, 'pg_proc'), '')"
            + " FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace"
            + " WHERE n.nspname = current_schema()"
            + " AND p.proname || '(' || pg_catalog.oidvectortypes(p.proargtypes) || ')' = ?";

    @Override
    public void install(Connection connection) throws SQLException {
        for (String signature : List.of(NEXT, LAST, SET, create(), DROP)) {
            checkOurs(connection, signature);
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute(PATH);
            for (String each : text().statements(Map.of())) {
                statement.execute(each);
            }
        }
    }

    @Override
    public String script(Connection connection, String createTable) {
        StringBuilder script = new StringBuilder("BEGIN;\n" + PATH + ";\n\n" + createTable + ";\n\n");
        text().statements(Map.of()).forEach(each -> script.append(each).append(";\n"));
        return script.append("COMMIT;\n").toString();
    }

    @Override
    public List<String> grants() {
        return List.of(
                grant("to draw in SQL", NEXT),
                grant("to look in SQL", LAST),
                grant("to administer in SQL", String.join(", ", SET, create(), DROP)));
    }

    private static String grant(String purpose, String functions) {
        return "-- " + purpose + ": GRANT EXECUTE ON FUNCTION " + functions + " TO the_application";
    }

    private FunctionText text() {
        return new FunctionText("postgresql", table);
    }

    private String create() {
        return text().plain()
                ? "create_sequence(text, bigint, bigint)"
                : "create_sequence(text, bigint, bigint, bigint, bigint, boolean, bigint)";
    }

    private void checkOurs(Connection connection, String signature) throws SQLException {
        Optional<String> comment = Settings.read(connection, COMMENT, signature);
        if (comment.filter(found -> !text().isOurs(found)).isPresent()) {
            throw new Misconfigured("function " + signature + " is there, but is not Seriatim's over table "
                    + table.table() + "; drop it first, or install in another schema");
        }
    }
}
