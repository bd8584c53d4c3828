// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.FunctionText;
import dev.seriatim.jdbc.sql.Grant;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.Sql;
import dev.seriatim.jdbc.sql.SqlFunctions;
import dev.seriatim.store.SequenceTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The functions in the SQL dialect of MariaDB and MySQL.
 *
 * <p>They run with the privileges of their installer, who may be an administrator. Triggers run with their creator's
 * privileges, but a view or another function can run with its caller's. So the functions call no other function, and
 * name the table with its key, which a view does not have: a view in place of the table is an error.
 *
 * <p>Their errors have numbers from 31001 on: {@code INSERT IGNORE} ignores some smaller ones, and MariaDB's driver reads
 * numbers above 32767 as negative. MySQL cuts messages at 128 characters.
 *
 * @param table the table of the sequences
 * @param schema its database
 * @param nameType the type of the name in a table with the library's own layout
 * @param replaces whether {@code CREATE OR REPLACE FUNCTION} is supported, which keeps the grants on a function
 * @param newest the beginning of a statement that locks a row newer than the transaction's snapshot
 */
record MySqlFunctions(SequenceTable table, Optional<String> schema, String nameType, boolean replaces, String newest)
        implements SqlFunctions {

    // A function keeps the SQL mode of its creation: this one neither truncates texts nor adjusts numbers.
    private static final String MODE = "'TRADITIONAL'";

    private static final List<String> NAMES =
            List.of("next_val", "last_val", "set_val", "create_sequence", "create_sequence_full", "drop_sequence");
    private static final Pattern CREATE = Pattern.compile("CREATE OR REPLACE FUNCTION `(\\w+)`");
    private static final Pattern TYPE = Pattern.compile("VARCHAR\\(\\d+\\)");

    private static final String COLLATION =
            "SELECT CONCAT('CHARACTER SET ', CHARACTER_SET_NAME, ' COLLATE ', COLLATION_NAME)"
                    + " FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND COLUMN_NAME = ?";
    private static final String OF_FUNCTION = " FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = DATABASE()"
            + " AND ROUTINE_TYPE = 'FUNCTION' AND ROUTINE_NAME = ?";
    private static final String COMMENT = "SELECT ROUTINE_COMMENT" + OF_FUNCTION;
    private static final String OTHER_DEFINER =
            "SELECT CONCAT(DEFINER, ', not to ', CURRENT_USER())" + OF_FUNCTION + " AND DEFINER <> CURRENT_USER()";
    private static final String TABLE_TYPE =
            "SELECT TABLE_TYPE FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?";
    private static final String KEY = "SELECT INDEX_NAME FROM information_schema.STATISTICS"
            + " WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND COLUMN_NAME = ?"
            + " AND INDEX_NAME = 'PRIMARY' AND SEQ_IN_INDEX = 1";

    private static final System.Logger LOG = System.getLogger(MySqlFunctions.class.getName());

    @Override
    public String prefix(Connection connection) {
        return "";
    }

    @Override
    public void install(Connection connection, List<String> createTables) throws SQLException {
        if (!schema.equals(Sql.read(connection, "SELECT DATABASE()"))) {
            throw new Misconfigured("""
                    the connection has left database %s, in which the functions belong; install on a connection that \
                    stays in it""".formatted(schema.orElse("(none)")));
        }
        for (String create : createTables) {
            Sql.execute(connection, create);
        }
        if (tableType(connection).equals("VIEW")) {
            throw PlacedTable.notTable(table.table(), "VIEW");
        }
        caution(connection).ifPresent(caution -> LOG.log(System.Logger.Level.WARNING, caution));
        List<String> statements = statements(connection);
        for (String create : statements) {
            checkOurs(connection, name(create));
        }
        String before = Sql.read(connection, "SELECT @@SESSION.sql_mode").orElse("");
        try {
            Sql.execute(connection, "SET SESSION sql_mode = " + MODE);
            for (String create : statements) {
                replace(connection, create);
            }
        } finally {
            Sql.execute(connection, "SET SESSION sql_mode = '" + before + "'");
        }
    }

    @Override
    public String script(Connection connection, List<String> createTables) throws SQLException {
        StringBuilder script = new StringBuilder(String.join(";\n\n", createTables)).append(";\n\n");
        if (replaces) {
            script.append("DELIMITER //\n\n" + check() + "\n//\n\nDELIMITER ;\n");
        }
        script.append("SET @seriatim_sql_mode = @@SESSION.sql_mode;\nSET SESSION sql_mode = " + MODE + ";\n");
        script.append("DELIMITER //\n\n");
        for (String create : statements(connection)) {
            steps(create).forEach(step -> script.append(step).append("\n//\n"));
        }
        script.append("\nDELIMITER ;\nSET SESSION sql_mode = @seriatim_sql_mode;\n");
        caution(connection).ifPresent(caution -> script.append("-- caution: " + caution + "\n"));
        return script.toString();
    }

    /** Returns the same checks as a script; MySQL has no such statements. */
    private String check() {
        return text().statement("check.sql").replace("{names}", String.join("', '", NAMES));
    }

    /** Returns the warning for a server that logs statements; empty for any other. */
    private static Optional<String> caution(Connection connection) throws SQLException {
        return InnoDbSettings.logsStatements(connection)
                ? Optional.of(InnoDbSettings.LOGS_STATEMENTS + "; " + InnoDbSettings.LOG_ROWS)
                : Optional.empty();
    }

    @Override
    public List<Grant> grants(String prefix) {
        List<Grant> grants = new ArrayList<>();
        grants.add(Grant.note("""
                the functions run with the installer's privileges; a session that has a temporary table of the \
                same name draws from that"""));
        grants.add(grant("to draw in SQL", "next_val"));
        grants.add(grant("to look in SQL", "last_val"));
        for (String name : List.of("set_val", "create_sequence", "drop_sequence")) {
            grants.add(grant("to administer in SQL", name));
        }
        if (!text().plain()) {
            grants.add(grant("to administer in SQL", "create_sequence_full"));
        }
        if (!replaces) {
            grants.add(Grant.note(
                    "MySQL drops the grants on a function that is replaced: grant again after loading this script"));
        }
        return grants;
    }

    private static Grant grant(String purpose, String name) {
        return Grant.of(
                purpose, "GRANT EXECUTE ON FUNCTION " + MySqlFamily.quoted(name) + " TO " + MySqlFamily.GRANTEE);
    }

    private List<String> statements(Connection connection) throws SQLException {
        return text().statements(
                        text().resource("create.sql").stripTrailing(),
                        Map.of("name_type", parameterType(connection), "key", key(connection), "newest", newest));
    }

    /** Returns an index hint, which is valid only for a table; empty if the table exists without the key. */
    private String key(Connection connection) throws SQLException {
        boolean without = !tableType(connection).isEmpty()
                && Sql.read(connection, KEY, table.table(), table.nameColumn()).isEmpty();
        return without ? "" : " FORCE INDEX (PRIMARY)";
    }

    private String tableType(Connection connection) throws SQLException {
        return Sql.read(connection, TABLE_TYPE, table.table()).orElse("");
    }

    private FunctionText text() {
        return new FunctionText(MySqlFunctions.class, table);
    }

    /** Returns a type with the column's collation, for the index, but longer, so that no name is truncated. */
    private String parameterType(Connection connection) throws SQLException {
        Optional<String> column = Sql.read(connection, COLLATION, table.table(), table.nameColumn());
        return column.map(collation -> "VARCHAR(255) " + collation)
                .orElseGet(() -> TYPE.matcher(nameType).replaceFirst("VARCHAR(255)"));
    }

    private void checkOurs(Connection connection, String name) throws SQLException {
        Optional<String> other = Sql.read(connection, OTHER_DEFINER, name);
        if (other.isPresent()) {
            throw new Misconfigured("function " + name + " belongs to " + other.get()
                    + ", which keeps privileges on it; install as that user, or drop it first: DROP FUNCTION "
                    + MySqlFamily.quoted(name));
        }
        if (Sql.read(connection, COMMENT, name)
                .filter(found -> !text().isOurs(found))
                .isPresent()) {
            throw new Misconfigured("""
                    function %s exists, but is not Seriatim's function on table %s; drop it first, or install in \
                    another database""".formatted(name, table.table()));
        }
    }

    private void replace(Connection connection, String create) throws SQLException {
        if (!replaces && isThere(connection, create)) {
            return;
        }
        try {
            for (String step : steps(create)) {
                Sql.execute(connection, step);
            }
        } catch (SQLException e) {
            if (e.getErrorCode() == 1418 || e.getErrorCode() == 1419) {
                throw new Misconfigured("""
                        the server has a binary log and does not allow this user to create functions that change \
                        data; an administrator can SET GLOBAL log_bin_trust_function_creators = 1 while they are \
                        installed (the table exists; the library does not need the functions)""", e);
            }
            throw e;
        }
    }

    /** Returns whether the function exists with the same body: then its grants need not be lost. */
    private static boolean isThere(Connection connection, String create) throws SQLException {
        if (Sql.read(connection, COMMENT, name(create)).isEmpty()) {
            return false;
        }
        String show = "SHOW CREATE FUNCTION " + MySqlFamily.quoted(name(create));
        try (PreparedStatement statement = connection.prepareStatement(show);
                ResultSet row = statement.executeQuery()) {
            // Null if this user may not see it.
            String there = row.next() ? row.getString("Create Function") : null;
            return there != null && there.endsWith(create.substring(create.indexOf("\nBEGIN\n")));
        }
    }

    private List<String> steps(String create) {
        String name = MySqlFamily.quoted(name(create));
        return replaces
                ? List.of(create)
                : List.of("DROP FUNCTION IF EXISTS " + name, create.replaceFirst("CREATE OR REPLACE", "CREATE"));
    }

    private static String name(String create) {
        Matcher matcher = CREATE.matcher(create);
        if (!matcher.lookingAt()) {
            throw new IllegalStateException("not a function: " + create);
        }
        return matcher.group(1);
    }
}
