// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

/**
 * Why a driver could not connect, as its engine's family classifies it.
 *
 * @param words the remedy for {@link Reason#ACCOUNT}, the whole line for a file, otherwise empty
 */
public record ConnectionFault(Reason reason, String words) {

    /** The cause. */
    public enum Reason {
        /** The engine does not know the user or refuses access. */
        ACCOUNT,
        /** The database does not exist. */
        DATABASE,
        /** The driver rejects the URL. */
        URL,
        /** The database's file cannot be used. */
        FILE,
        /**
         * The database's file cannot be used now, but may be usable once space is freed or another process releases
         * the file.
         */
        FILE_FOR_NOW
    }
}
