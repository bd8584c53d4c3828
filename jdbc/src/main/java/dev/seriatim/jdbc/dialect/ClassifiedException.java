// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What a statement came to, said by us, where the engine's own code says too little or something else. */
public final class ClassifiedException extends SQLException {

    private static final long serialVersionUID = 1L;

    private final Fault fault;

    public ClassifiedException(Fault fault, String what) {
        this(fault, what, null);
    }

    public ClassifiedException(Fault fault, String what, @Nullable SQLException cause) {
        super(what, cause);
        this.fault = fault;
    }

    /** An exception of the driver's that means something else than its code says. */
    public ClassifiedException(Fault fault, SQLException cause) {
        super(cause.getMessage(), cause.getSQLState(), cause.getErrorCode(), cause);
        this.fault = fault;
    }

    /** What it means. */
    public Fault fault() {
        return fault;
    }
}
