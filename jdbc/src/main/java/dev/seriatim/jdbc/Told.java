// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What a statement came to, said by us, where the engine's own code says too little or something else. */
final class Told extends SQLException {

    private static final long serialVersionUID = 1L;

    private final Fault fault;

    Told(Fault fault, String what) {
        this(fault, what, null);
    }

    Told(Fault fault, String what, @Nullable SQLException cause) {
        super(what, cause);
        this.fault = fault;
    }

    /** An exception of the driver's that means something else than its code says. */
    Told(Fault fault, SQLException cause) {
        super(cause.getMessage(), cause.getSQLState(), cause.getErrorCode(), cause);
        this.fault = fault;
    }

    /** What it means. */
    Fault fault() {
        return fault;
    }
}
