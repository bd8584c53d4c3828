// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException;
import java.util.Map;

/**
 * A store that can tell more about a sequence than its definition and its counter.
 *
 * <p>Implementations are thread-safe.
 */
@FunctionalInterface
public interface SequenceDetails {

    /**
     * What else there is to tell, by what it is, in the order in which it is shown.
     *
     * @throws SequenceException.NotFound when there is no such sequence
     */
    Map<String, String> details(String name);
}
