// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.SequenceTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;

/**
 * A table by its qualified name, so that no setting of a session leads statements elsewhere. Until the table has been found,
 * each statement looks it up first, because another user might create it. Thread-safe.
 */
public final class PlacedTable {

    private final Dialect dialect;
    private final String name;
    private final Optional<String> owner;
    private final Optional<String> schema;
    private final String prefix;
    private final String qualified;
    private volatile boolean found;

    /** A table that is looked up before its first use; in the schema where each session finds it if none is given. */
    public PlacedTable(Dialect dialect, SequenceTable table, Optional<String> schema) {
        this(dialect, table.unqualified(), table.owner(), schema, false);
    }

    private PlacedTable(Dialect dialect, String name, Optional<String> owner, Optional<String> schema, boolean found) {
        this.dialect = dialect;
        this.name = name;
        this.owner = owner;
        this.schema = schema;
        this.found = found;
        String mark = dialect.quote("").substring(1);
        prefix = schema.map(any -> dialect.quote(any.replace(mark, mark + mark)) + ".")
                .orElse("");
        qualified = prefix + dialect.quote(name);
    }

    /**
     * Looks a table up, and returns it in the schema in which it is, or would be created.
     *
     * @throws Misconfigured also if the table's name has a schema and the engine takes none there
     */
    public static PlacedTable find(Dialect dialect, Connection connection, SequenceTable table) throws SQLException {
        if (table.schema().isPresent() && !dialect.namesSchemas()) {
            throw new Misconfigured("the table '" + table.table() + "' names a schema, which " + dialect.product()
                    + " takes from the connection; leave it out of the name");
        }
        Dialect.Place place = dialect.find(connection, table.unqualified(), table.owner(), table.schema());
        return new PlacedTable(dialect, table.unqualified(), table.owner(), place.schema(), place.exists());
    }

    /** Returns the refusal of an object that is not a table. */
    public static Misconfigured notTable(String name, String type) {
        return new Misconfigured(name + " is a " + type.toLowerCase(Locale.ROOT)
                + ", not a table; drop or rename it, or name another one");
    }

    /** Returns the table of this name with a suffix in the same schema, not yet looked up. */
    public PlacedTable beside(String suffix) {
        return new PlacedTable(dialect, name + suffix, owner, schema, false);
    }

    public Dialect dialect() {
        return dialect;
    }

    /** Returns the name without its schema, unquoted. */
    public String name() {
        return name;
    }

    public Optional<String> schema() {
        return schema;
    }

    /** Returns the qualifier of the quoted name: the schema and a dot, or nothing. */
    public String prefix() {
        return prefix;
    }

    public String qualified() {
        return qualified;
    }

    /** Returns whether a statement may be sent although the table is missing. */
    public boolean looks() {
        return !found && !dialect.seesAll();
    }

    /** Returns whether the table is missing, as far as this user can see. Looks it up until it has been found once. */
    public boolean missing(Connection connection) throws SQLException {
        if (!found) {
            found = dialect.find(connection, name, owner, schema).exists();
        }
        return !found;
    }

    /** Looks the table up until it has been found once, and fails if it is missing; called before each statement. */
    public void check(Connection connection) throws SQLException {
        if (missing(connection) && dialect.seesAll()) {
            throw new ClassifiedException(Fault.MISSING_TABLE, "table " + name + " does not exist");
        }
    }
}
