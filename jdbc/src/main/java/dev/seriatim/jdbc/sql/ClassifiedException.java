// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** An SQL exception with our own {@link Fault}, for cases where the engine's code is too vague or misleading. */
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

    /** Wraps a driver's exception whose meaning differs from its code. */
    public ClassifiedException(Fault fault, SQLException cause) {
        super(cause.getMessage(), cause.getSQLState(), cause.getErrorCode(), cause);
        this.fault = fault;
    }

    public Fault fault() {
        return fault;
    }
}
