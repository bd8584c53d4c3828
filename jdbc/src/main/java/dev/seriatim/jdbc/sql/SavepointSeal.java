// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A savepoint, which can be released only while it exists. In SQL: a transaction manager refuses JDBC's methods, and Connector/J
 * before 8.2 releases nothing.
 *
 * <p>A few names take turns. If the work ends the marked transaction and sets a seal in the next one, that one has another name.
 * PostgreSQL before 17 and MySQL keep statistics of each name.
 */
record SavepointSeal(String name) implements Seal {

    private static final int NAMES = 64;
    private static final AtomicInteger NEXT = new AtomicInteger();

    static Seal set(Connection connection) throws SQLException {
        String name = "seriatim_" + Math.floorMod(NEXT.getAndIncrement(), NAMES);
        Sql.execute(connection, "SAVEPOINT " + name);
        return new SavepointSeal(name);
    }

    @Override
    public boolean isSavepoint() {
        return true;
    }

    @Override
    public boolean holds(Connection later) throws SQLException {
        Sql.execute(later, "RELEASE SAVEPOINT " + name);
        return true;
    }

    /** {@inheritDoc} Also works in a transaction that a failed statement has aborted, as in PostgreSQL. */
    @Override
    public boolean heldUntilNow(Connection later) throws SQLException {
        Sql.execute(later, "ROLLBACK TO SAVEPOINT " + name);
        return true;
    }
}
