// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

/** A dialect on which a statement on a missing table disturbs somebody: some drivers log a warning. */
public interface TableLookup {

    /** A query that finds a table, whose name is its parameter. */
    String findTable();
}
