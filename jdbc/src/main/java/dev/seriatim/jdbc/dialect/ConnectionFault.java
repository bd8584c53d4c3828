// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

/**
 * Why a driver could not connect, as its engine's family classifies it.
 *
 * @param words as the reason says, otherwise empty
 */
public record ConnectionFault(Reason reason, String words) {

    /** The cause. */
    public enum Reason {
        /** The user or the password is wrong or missing; the words are what to check besides these. */
        PASSWORD,
        /** The engine rejects this login, perhaps for want of a password; the words are the remedy. */
        LOGIN,
        /** The engine does not know the user or refuses access; the words are the remedy. */
        ACCOUNT,
        /** The database does not exist. */
        DATABASE,
        /** The user lacks a privilege on the database; the words are the remedy. */
        PRIVILEGE,
        /** The database accepts no connections; the words are the remedy. */
        CLOSED,
        /** The server has as many connections as it allows. */
        FULL,
        /** The server starts, stops or recovers. */
        NOT_YET,
        /** Another kind of server answers; the words name the expected product. */
        OTHER_SERVER,
        /** The server requires encryption; the words are the remedy. */
        UNENCRYPTED,
        /** The server does not support encryption; the words are the URL's option that requires it. */
        NO_ENCRYPTION,
        /** The server rejects an option or its value. */
        OPTIONS,
        /** The driver rejects the URL. */
        URL,
        /** The database's file cannot be used; the words are the whole message. */
        FILE,
        /**
         * The database's file cannot be used now, but may be usable once space is freed or another process releases
         * the file; the words are the whole message.
         */
        FILE_FOR_NOW,
        /** The connection broke. */
        NETWORK
    }

    public ConnectionFault(Reason reason) {
        this(reason, "");
    }
}
