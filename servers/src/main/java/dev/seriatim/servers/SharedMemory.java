// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The segment of shared memory by which a PostgreSQL knows that it is alone on its data. One that is killed leaves it in the
 * kernel, which has room for some thousands. What else it shares is in files among its data.
 */
final class SharedMemory {
    /** Removes the segment of the server in the folder {@code $1}: the seventh line of its {@code postmaster.pid} ends with the segment's id. */
    static final String REMOVAL = "ipcrm -m \"$(sed -n '7s/.* //p' \"$1/data/postmaster.pid\")\"\n";

    private SharedMemory() {}

    /** Removes what a server has left that was killed; does nothing for a server that has nothing of the kind. */
    static void remove(Path folder) {
        if (Files.exists(folder.resolve("data").resolve("postmaster.pid"))) {
            // One that ended by itself has removed it.
            Commands.succeeds(List.of("sh", "-c", REMOVAL, "sh", folder.toString()));
        }
    }
}
