// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import dev.seriatim.SequenceException.Misconfigured;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;

/** A dialect whose sessions can find different tables under one name, so that statements must qualify it. */
public interface TableLookup {

    /**
     * Where a table is, or would be created.
     *
     * @param schema empty if the session has none
     * @param exists false if it is missing, as far as this user can see
     */
    record Place(Optional<String> schema, boolean exists) {}

    /**
     * Finds a table; temporary tables do not count.
     *
     * @param owner a role that may own the table, beside those that are trusted anyway
     * @param schema where to look; empty for wherever this session would find or create the table
     * @throws Misconfigured if it is not an ordinary table, or could run another user's code with its readers' rights
     */
    Place find(Connection connection, String table, Optional<String> owner, Optional<String> schema)
            throws SQLException;

    /** Returns the refusal of an object that is not a table. */
    static Misconfigured notTable(String name, String type) {
        return new Misconfigured(name + " is a " + type.toLowerCase(Locale.ROOT)
                + ", not a table; drop or rename it, or name another one");
    }

    /** Returns whether all users see that a table exists, whatever their privileges. */
    default boolean seesAll() {
        return true;
    }
}
