// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.util.Locale;

/** The kinds of faults. */
public enum FaultKind {
    /** A process that draws is killed with {@code kill -9}. */
    KILL,
    /** A process that draws is stopped for a while. */
    STOP,
    /** Connections to the server are cut, refused or held, or lose answers. */
    LINK,
    /** The server is killed and restarted, or stopped for a while. */
    SERVER;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
