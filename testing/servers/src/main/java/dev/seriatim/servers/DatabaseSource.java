// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.List;
import java.util.Optional;

/** Creates databases of one engine. */
interface DatabaseSource {
    /** Returns why it cannot create any, with the remedy; empty if it can. */
    Optional<String> missing();

    /** Creates a database with this name, and returns it as seen through each node. */
    List<Database> create(String name);
}
