// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.FunctionText;
import dev.seriatim.jdbc.sql.Grant;
import dev.seriatim.jdbc.sql.Sql;
import dev.seriatim.jdbc.sql.SqlFunctions;
import dev.seriatim.store.SequenceTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The functions in PostgreSQL's PL/pgSQL, in the schema in which the table is created.
 *
 * <p>They run with the privileges of their installer, who may be a superuser. So neither the functions nor their
 * installation look up an unqualified name that others may create: the search path contains only the system
 * catalogue, and our tables and functions are qualified with their schema. Objects that others own are not allowed on
 * the table.
 *
 * @param table the table of the sequences
 * @param schema the schema in which it is, or is created
 */
record PostgresFunctions(SequenceTable table, Optional<String> schema) implements SqlFunctions {

    private static final String NEXT = "next_val(text)";
    private static final String LAST = "last_val(text)";
    private static final String SET = "set_val(text, bigint)";
    private static final String DROP = "drop_sequence(text)";

    /** Delimits the bodies, so it must not occur in what is inserted into them. */
    private static final String QUOTE = "$seriatim$";

    /** Ends a body or a comment of the script, or begins a comment. */
    private static final List<String> NOT_IN_A_SCRIPT = List.of(QUOTE, "/*", "*/");

    /** Lets a later statement see what others have committed meanwhile, whatever the user's default isolation level. */
    static final String READ_COMMITTED = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED";

    // Both settings end with the transaction.
    private static final List<String> SAFELY =
            List.of("SET LOCAL search_path = pg_catalog, pg_temp", "SET LOCAL standard_conforming_strings = on");

    private static final System.Logger LOG = System.getLogger(PostgresFunctions.class.getName());

    @Override
    public String prefix(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            Sql.execute(connection, READ_COMMITTED);
        }
        return PostgresFamily.quoteAny(place()) + ".";
    }

    @Override
    public void install(Connection connection, List<String> createTables) throws SQLException {
        String place = place();
        PostgresTables.caution(connection, place).ifPresent(caution -> LOG.log(System.Logger.Level.WARNING, caution));
        for (String each : SAFELY) {
            Sql.execute(connection, each);
        }
        check(connection, place);
        for (String each : statements(place, createTables)) {
            Sql.execute(connection, each);
        }
        // Again, because another session may have been faster.
        check(connection, place);
    }

    @Override
    public String script(Connection connection, List<String> createTables) throws SQLException {
        String place = place();
        String check = "DO " + QUOTE + "\nDECLARE\n  found text;\nBEGIN\n  found := (\n" + problem(place)
                + "\n  );\n  IF found IS NOT NULL THEN\n    RAISE EXCEPTION '%', found;\n  END IF;\nEND " + QUOTE;
        List<String> all = new ArrayList<>(SAFELY);
        all.add(check);
        all.addAll(statements(place, createTables));
        all.add(check);
        return all.stream().collect(Collectors.joining(";\n\n", "BEGIN;\n" + READ_COMMITTED + ";\n", ";\nCOMMIT;\n"))
                + PostgresTables.caution(connection, place)
                        .map(caution -> "-- caution: " + caution + "\n")
                        .orElse("");
    }

    @Override
    public List<Grant> grants(String prefix) {
        String schema = prefix.substring(0, prefix.length() - 1);
        return List.of(
                Grant.note("""
                        the functions run with the installer's privileges: let no other user own the table or \
                        its schema, or add triggers to it"""),
                Grant.of(
                        "to use the schema, for all of these", "GRANT USAGE ON SCHEMA " + schema + " TO " + Grant.USER),
                grant("to draw in SQL", prefix, NEXT),
                grant("to look in SQL", prefix, LAST),
                grant("to administer in SQL", prefix, SET, create(), DROP));
    }

    private static Grant grant(String purpose, String prefix, String... functions) {
        return Grant.of(
                purpose,
                "GRANT EXECUTE ON FUNCTION "
                        + Stream.of(functions).map(prefix::concat).collect(Collectors.joining(", ")) + " TO "
                        + Grant.USER);
    }

    private FunctionText text() {
        return new FunctionText(PostgresFunctions.class, table);
    }

    private String create() {
        return text().plain()
                ? "create_sequence(text, bigint, bigint)"
                : "create_sequence(text, bigint, bigint, bigint, bigint, boolean, bigint)";
    }

    private List<String> statements(String schema, List<String> createTables) {
        List<String> all = new ArrayList<>(createTables);
        all.add(placed(text().statement("triggers.sql"), schema));
        text().statements("", Map.of()).forEach(each -> all.add(placed(each, schema)));
        return all;
    }

    private void check(Connection connection, String schema) throws SQLException {
        Optional<String> problem = Sql.read(connection, problem(schema));
        if (problem.isPresent()) {
            throw new Misconfigured(problem.get());
        }
    }

    private String problem(String schema) {
        String signatures = Stream.of(NEXT, LAST, SET, create(), DROP)
                .map(PostgresFunctions::literal)
                .collect(Collectors.joining(", "));
        return placed(
                text().statement("check.sql")
                        .replace("{signatures}", signatures)
                        .replace("{own}", Boolean.toString(!text().plain())),
                schema);
    }

    /** Last, because a schema's name can be any text. */
    private static String placed(String text, String schema) {
        return text.replace("{schema}", PostgresFamily.quoteAny(schema)).replace("{schema_text}", literal(schema));
    }

    private static String literal(String text) {
        return '\'' + text.replace("'", "''") + '\'';
    }

    private String place() {
        String name = schema.orElseThrow();
        boolean ends = NOT_IN_A_SCRIPT.stream().anyMatch(name::contains);
        if (ends || name.chars().anyMatch(Character::isISOControl)) {
            throw new Misconfigured("""
                    the functions cannot be in a schema whose name contains %s or a line break; rename it, or install \
                    in another schema""".formatted(String.join(", ", NOT_IN_A_SCRIPT)));
        }
        return name;
    }
}
