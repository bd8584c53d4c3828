// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceDefinition;
import java.util.List;

/** Capability of a store whose sequences are kept in an object that can be created beforehand, such as a table. */
public interface SchemaInstaller {

    /** Returns what {@link #install} does, as a script for the database's own client, with advice in comments. */
    String script();

    /**
     * Returns a script for a migration: it creates the tables that draws need, and these sequences, unless they exist in the
     * current schema. Throws {@link dev.seriatim.SequenceException.Misconfigured} if it cannot hold a sequence.
     */
    String migration(List<SequenceDefinition> sequences);

    /** Creates the objects. Existing ones are left unchanged, except functions, which are updated. Returns whether there are any. */
    boolean install();
}
