// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

/** A capability of a store whose sequences live in something that can be set up beforehand, such as a table. */
public interface SchemaInstaller {

    /** What {@link #install} does, as text that the database's own client loads as it is, with advice as comments. */
    String script();

    /** Sets it up; what is there already is left as it is, but for functions, which are brought up to date. */
    void install();
}
