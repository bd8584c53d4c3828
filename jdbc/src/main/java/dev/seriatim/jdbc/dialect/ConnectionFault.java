// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

/**
 * Why a driver could not connect, as the family of its engine knows it.
 *
 * @param words the remedy for {@link Reason#ACCOUNT}, the whole line for a file, else empty
 */
public record ConnectionFault(Reason reason, String words) {

    /** What is in the way. */
    public enum Reason {
        /** The engine does not know who asks, or does not let them in. */
        ACCOUNT,
        /** There is no such database. */
        DATABASE,
        /** The driver does not take the URL. */
        URL,
        /** The database's file cannot be used. */
        FILE,
        /** The same, but it may be over when somebody has made room, or has let go of the file. */
        FILE_FOR_NOW
    }
}
