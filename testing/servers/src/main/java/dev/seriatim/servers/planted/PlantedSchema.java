// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers.planted;

import dev.seriatim.servers.Database;
import java.sql.SQLException;
import java.util.List;

/**
 * A schema with faults that have to be found, one finding for each, and clean objects beside them, at which nothing may be found.
 *
 * @param before what both need, such as schemas and types
 * @param faults the faults; each is planted alone
 * @param clean statements that create a clean object each
 */
public record PlantedSchema(List<String> before, List<PlantedFault> faults, List<String> clean) {

    /** Plants everything in an empty database. */
    public void plant(Database database) throws SQLException {
        database.execute(before.toArray(String[]::new));
        database.execute(clean.toArray(String[]::new));
        for (PlantedFault fault : faults) {
            database.execute(fault.statements().toArray(String[]::new));
        }
    }

    /** Creates the clean objects alone in an empty database. */
    public void plantClean(Database database) throws SQLException {
        database.execute(before.toArray(String[]::new));
        database.execute(clean.toArray(String[]::new));
    }
}
