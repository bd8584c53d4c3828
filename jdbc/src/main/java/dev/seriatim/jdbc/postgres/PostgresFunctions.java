// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.FunctionText;
import dev.seriatim.jdbc.sql.Grant;
import dev.seriatim.jdbc.sql.Sql;
import dev.seriatim.jdbc.sql.SqlFunctions;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.SequenceTable;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    private static final Pattern WORD = Pattern.compile("\\{(\\w+)_text}");

    /** Bytes of a function's name, so that a trigger's name can be four longer. */
    private static final int LONGEST = 59;

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
        run(connection, problem(place), statements(place, createTables));
        // Again, because another session may have been faster.
        check(connection, problem(place));
    }

    @Override
    public String script(Connection connection, List<String> createTables) throws SQLException {
        String place = place();
        List<String> all = new ArrayList<>(statements(place, createTables));
        all.add(check(problem(place)));
        return script(problem(place), all)
                + PostgresTables.caution(connection, place)
                        .map(caution -> "-- caution: " + caution + "\n")
                        .orElse("");
    }

    @Override
    public Optional<String> atCommit(
            Connection connection, ColumnName column, Optional<String> sequence, boolean prints) throws SQLException {
        String prefix = prefix(connection);
        Optional<String> place = column.schema().isPresent()
                ? column.schema()
                : PostgresTables.find(connection, column.table(), column.schema())
                        .schema();
        String beside = PostgresFamily.quoteAny(place.orElseThrow()) + ".";
        String table = beside + PostgresFamily.quoteAny(column.table());
        String name = column.table() + "_" + column.column() + "_at_commit";
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        String function = bytes.length > LONGEST ? "at_commit_" + UUID.nameUUIDFromBytes(bytes) : name;
        Map<String, String> words = new HashMap<>();
        words.put("schema", place());
        words.put("next_val", prefix + "next_val");
        words.put("place", place.orElseThrow());
        words.put("name", column.table());
        words.put("column", column.column());
        words.put("target", table);
        words.put("sequence", sequence.orElse(""));
        words.put("trigger", function);
        words.put("function", beside + PostgresFamily.quoteAny(function));
        words.put(
                "comment",
                "Seriatim, at the commit: numbers " + table + "." + PostgresFamily.quoteAny(column.column()));
        String problem = filled(sequence.isPresent() ? "at-commit-check.sql" : "at-commit-none.sql", words);
        List<String> changes = List.of(filled(sequence.isPresent() ? "at-commit.sql" : "at-commit-end.sql", words));
        if (!prints) {
            run(connection, problem, changes);
        }
        return Optional.of(script(problem, changes));
    }

    /** In one pass, because a name can be any text. */
    private String filled(String resource, Map<String, String> words) {
        String end = QUOTE.substring(0, QUOTE.length() - 1); // of the names that quotes of the resources have
        words.values().stream().filter(word -> word.contains(end)).findAny().ifPresent(word -> {
            throw new Misconfigured("the name '" + word + "' contains " + end + "; rename it");
        });
        return WORD.matcher(text().statement(resource))
                .replaceAll(
                        word -> Matcher.quoteReplacement(literal(Objects.requireNonNull(words.get(word.group(1))))));
    }

    private static void run(Connection connection, String problem, List<String> statements) throws SQLException {
        for (String each : SAFELY) {
            Sql.execute(connection, each);
        }
        check(connection, problem);
        for (String each : statements) {
            Sql.execute(connection, each);
        }
    }

    private static String script(String problem, List<String> statements) {
        List<String> all = new ArrayList<>(SAFELY);
        all.add(check(problem));
        all.addAll(statements);
        return all.stream().collect(Collectors.joining(";\n\n", "BEGIN;\n" + READ_COMMITTED + ";\n", ";\nCOMMIT;\n"));
    }

    private static String check(String problem) {
        return "DO " + QUOTE + "\nDECLARE\n  found text;\nBEGIN\n  found := (\n" + problem
                + "\n  );\n  IF found IS NOT NULL THEN\n    RAISE EXCEPTION '%', found;\n  END IF;\nEND " + QUOTE;
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

    private static void check(Connection connection, String query) throws SQLException {
        Optional<String> problem = Sql.read(connection, query);
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
