// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.nio.ByteBuffer;

/** The protocol on a link. It decides whether the link recognizes commits. */
public enum WireProtocol {
    /** PostgreSQL's, version 3: the link recognizes commits, unless the connection is encrypted. */
    POSTGRESQL {
        @Override
        Wire<?> wire() {
            return new PostgresqlWire();
        }
    },
    /** MySQL's and MariaDB's: the link recognizes commits, unless the connection is encrypted or compressed. */
    MYSQL {
        @Override
        Wire<?> wire() {
            return new MysqlWire();
        }
    },
    /** Any other: the link recognizes answers to requests, but not commits. */
    OTHER {
        @Override
        Wire<?> wire() {
            return new Opaque();
        }
    };

    abstract Wire<?> wire();

    /** Returns whether a link can tell commits from other requests. */
    public boolean showsCommits() {
        return this != OTHER;
    }

    /** A conversation of which only the turns are known: the bytes after a request are its answer. */
    private static final class Opaque extends Wire<Wire.Request> {
        @Override
        void asked(ByteBuffer bytes) {
            if (requests.isEmpty()) {
                requests.add(new Request());
            }
        }

        @Override
        void answered(ByteBuffer bytes) {
            if (requests.poll() != null) {
                answers++;
            }
        }
    }
}
