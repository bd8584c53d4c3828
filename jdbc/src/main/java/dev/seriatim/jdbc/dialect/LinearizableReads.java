// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.util.Optional;

/**
 * A dialect whose engine can read a row so that the read shows every change whose commit was acknowledged before the read was sent, as
 * long as the engine's primary answers it: outside transactions, with {@link ClusterReads#upToDate} where that differs.
 */
public interface LinearizableReads {

    /** Returns an expression that is true if a standby answers, which may lag behind; empty if there are none. */
    default Optional<String> onStandby() {
        return Optional.empty();
    }

    /** Returns an expression that identifies the server that answers, as a text; empty if any server may. */
    default Optional<String> server() {
        return Optional.empty();
    }

    /** Returns the dialect's implementation; empty if its engine has no such reads. */
    static Optional<LinearizableReads> of(Dialect dialect) {
        return dialect instanceof LinearizableReads own ? Optional.of(own) : Optional.empty();
    }
}
