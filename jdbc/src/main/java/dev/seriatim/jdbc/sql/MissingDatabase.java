// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.sql.SQLException;

/** Thrown when the database that would hold the table does not exist yet, and its creation was not requested. */
public final class MissingDatabase extends SQLException {

    private static final long serialVersionUID = 1L;

    /** Displayed after the file's name. */
    public static final String NOTE = ", a file that does not exist yet";

    public MissingDatabase(String database) {
        super(database + " does not exist");
    }
}
