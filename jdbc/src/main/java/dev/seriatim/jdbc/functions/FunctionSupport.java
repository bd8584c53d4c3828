// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.functions;

import dev.seriatim.table.SequenceTable;

/** A dialect whose engine can have the SQL functions. */
public interface FunctionSupport {

    /** The SQL functions over a table. */
    SqlFunctions functions(SequenceTable table);
}
