// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.functions;

import dev.seriatim.store.SequenceTable;
import java.util.Optional;

/** A dialect whose engine supports the SQL functions. */
public interface FunctionSupport {

    /** Returns the SQL functions over a table, in its schema. */
    SqlFunctions functions(SequenceTable table, Optional<String> schema);
}
