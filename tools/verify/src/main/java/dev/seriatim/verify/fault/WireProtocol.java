// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

/** What is spoken over a link, which decides what the link understands of it. */
public enum WireProtocol {
    /** PostgreSQL's, version 3: the link sees commits, unless the connection is encrypted. */
    POSTGRESQL {
        @Override
        Wire wire() {
            return new PostgresqlWire();
        }
    },
    /** MySQL's and MariaDB's: the link sees commits, unless the connection is encrypted or compressed. */
    MYSQL {
        @Override
        Wire wire() {
            return new MysqlWire();
        }
    },
    /** Any other: the link sees that a request was answered, but not whether it was a commit. */
    OTHER {
        @Override
        Wire wire() {
            return new OpaqueWire();
        }
    };

    abstract Wire wire();

    /** Returns whether a link can tell commits from other requests. */
    public boolean showsCommits() {
        return this != OTHER;
    }
}
