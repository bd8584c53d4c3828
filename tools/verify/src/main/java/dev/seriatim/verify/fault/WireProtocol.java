// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

/** The protocol on a link. It decides whether the link recognizes commits. */
public enum WireProtocol {
    /** PostgreSQL's, version 3: the link recognizes commits, unless the connection is encrypted. */
    POSTGRESQL,
    /** MySQL's and MariaDB's: the link recognizes commits, unless the connection is encrypted or compressed. */
    MYSQL,
    /** Any other: the link recognizes answers to requests, but not commits. */
    OTHER;

    Wire wire() {
        return switch (this) {
            case POSTGRESQL -> new PostgresqlWire();
            case MYSQL -> new MysqlWire();
            case OTHER -> new Wire.Opaque();
        };
    }
}
