// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The shared memory segment that PostgreSQL uses to detect other servers on its data. A killed server leaves it in the
 * kernel, which has room for a few thousand. Its other shared memory is in files among its data.
 */
final class SharedMemory {
    /**
     * Removes the segment of the server in the folder {@code $1}: the seventh line of its {@code postmaster.pid} ends
     * with the segment's id.
     */
    static final String REMOVAL = "ipcrm -m \"$(sed -n '7s/.* //p' \"$1/data/postmaster.pid\")\"\n";

    private SharedMemory() {}

    /** Removes the segment of a killed server; does nothing for other servers. */
    static void remove(Path folder) {
        if (Files.exists(folder.resolve("data").resolve("postmaster.pid"))) {
            // A server that ended normally has removed it.
            Commands.succeeds(List.of("sh", "-c", REMOVAL, "sh", folder.toString()));
        }
    }
}
