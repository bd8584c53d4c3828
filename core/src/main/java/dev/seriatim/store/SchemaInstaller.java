// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import java.util.List;
import java.util.Optional;

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

    /**
     * Lets the database number a table's rows when their transactions commit, by a trigger: each row that is inserted, or gets another
     * primary key, and has no number then. The counter is locked from the first draw to the end of the commit. Installing again
     * replaces the trigger; the functions of {@link #install} must exist.
     *
     * @param sequence the sequence of the numbers; empty to remove the trigger
     * @param prints whether to change nothing
     * @return a script that does this
     * @throws SequenceException.NotFound if the sequence does not exist
     * @throws SequenceException.Misconfigured if the database has no such triggers, as by default, or the column cannot be
     *     numbered so
     */
    default String atCommit(ColumnName column, Optional<String> sequence, boolean prints) {
        throw new SequenceException.Misconfigured("""
                %s cannot be numbered at the commit by %s, which has no trigger that runs then; draw last in the program, \
                with GaplessSequence.last""".formatted(column, this));
    }
}
