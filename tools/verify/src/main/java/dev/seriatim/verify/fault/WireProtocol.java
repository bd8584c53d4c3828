// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.util.function.Supplier;

/** The protocol on a link. It decides whether the link recognizes commits. */
public enum WireProtocol {
    /** PostgreSQL's, version 3: the link recognizes commits, unless the connection is encrypted. */
    POSTGRESQL(PostgresqlWire::new),
    /** MySQL's and MariaDB's: the link recognizes commits, unless the connection is encrypted or compressed. */
    MYSQL(MysqlWire::new),
    /** Any other: the link recognizes answers to requests, but not commits. */
    OTHER(Wire.Opaque::new);

    private final Supplier<Wire<?>> wire;

    WireProtocol(Supplier<Wire<?>> wire) {
        this.wire = wire;
    }

    Wire<?> wire() {
        return wire.get();
    }
}
