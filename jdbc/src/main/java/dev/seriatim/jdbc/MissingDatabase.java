// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.sql.SQLException;

/** The database that would hold the table is not there yet, and nobody has asked for it to be created. */
final class MissingDatabase extends SQLException {

    private static final long serialVersionUID = 1L;

    /** For people, behind the name of the file. */
    static final String NOTE = ", a file that does not exist yet";

    MissingDatabase(String database) {
        super(database + " does not exist");
    }
}
