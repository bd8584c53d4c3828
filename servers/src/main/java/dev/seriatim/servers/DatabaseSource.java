// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.List;
import java.util.Optional;

/** Where new databases of one engine come from. */
interface DatabaseSource {
    /** Why there can be none, and the remedy; empty if there can. */
    Optional<String> missing();

    /** Creates a database of that name, and tells how each node offers it. */
    List<Database> create(String name);
}
