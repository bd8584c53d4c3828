// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

/** Capability of a store whose sequences are kept in an object that can be created beforehand, such as a table. */
public interface SchemaInstaller {

    /** Returns what {@link #install} does, as a script for the database's own client, with advice in comments. */
    String script();

    /** Creates the objects. Existing ones are left unchanged, except functions, which are updated. Returns whether there are any. */
    boolean install();
}
