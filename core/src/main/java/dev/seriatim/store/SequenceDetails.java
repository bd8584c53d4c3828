// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException;
import java.util.Map;

/** Capability of a store that knows more of a sequence than its definition and counter. Implementations are thread-safe. */
@FunctionalInterface
public interface SequenceDetails {

    /**
     * Returns further properties of a sequence by name, in display order.
     *
     * @throws SequenceException.NotFound if the sequence does not exist
     */
    Map<String, String> details(String name);
}
