// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.util.Locale;

/** What a fault is done to. */
public enum FaultKind {
    /** A process that draws is killed with {@code kill -9}. */
    KILL,
    /** A process that draws is stopped for a while. */
    STOP,
    /** Connections to the server are cut, refused or held, or lose answers. */
    LINK,
    /** The server is killed and restarted, or stopped for a while. */
    SERVER;

    /** Returns the word for it on the command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
