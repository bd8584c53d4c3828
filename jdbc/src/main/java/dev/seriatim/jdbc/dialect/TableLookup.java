// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

/** A dialect on which a statement on a missing table has a side effect: some drivers log a warning. */
public interface TableLookup {

    /** Returns a query that finds a table; its parameter is the table's name. */
    String findTable();
}
