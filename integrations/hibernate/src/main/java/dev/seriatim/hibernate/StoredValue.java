// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import jakarta.persistence.FlushModeType;
import java.util.Arrays;
import java.util.List;
import org.hibernate.LockMode;
import org.hibernate.Session;
import org.hibernate.bytecode.enhance.spi.LazyPropertyInitializer;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.query.MutationQuery;
import org.hibernate.query.SelectionQuery;
import org.jspecify.annotations.Nullable;

/**
 * Finds a row's stored value, such as its number. The entity's own value does not count: the program can set it, and a
 * rolled back transaction may have left it there. Immutable.
 *
 * @param property the property
 */
record StoredValue(String property) {

    /**
     * A row of the table.
     *
     * @param value its value; null if it has none
     */
    record Row(@Nullable Object value) {}

    /** Returns the row; null if there is none, as for an upsert that inserts it. */
    @Nullable
    Row of(SharedSessionContractImplementor session, Object owner) {
        EntityEntry entry = session.getPersistenceContextInternal().getEntry(owner);
        if (entry != null && entry.getLoadedState() != null) {
            Object loaded = entry.getLoadedValue(property);
            if (loaded != LazyPropertyInitializer.UNFETCHED_PROPERTY) {
                return new Row(loaded);
            }
        }
        return inDatabase(session, owner);
    }

    /** Returns the row as this transaction has left it; null if there is none. */
    @Nullable
    Row inDatabase(SharedSessionContractImplementor session, Object owner) {
        // A stateless session may have written the row before, and not sent the statement yet.
        session.getJdbcCoordinator().executeBatch();
        EntityPersister persister = session.getEntityPersister(null, owner);
        Object[] row = persister.getDatabaseSnapshot(persister.getIdentifier(owner, session), session);
        return row == null
                ? null
                : new Row(row[Arrays.asList(persister.getPropertyNames()).indexOf(property)]);
    }

    /** Stores a value in the row, and in the entity; returns whether the row is there. */
    boolean store(SharedSessionContractImplementor session, Object owner, Object value) {
        EntityPersister persister = session.getEntityPersister(null, owner);
        MutationQuery update = session.createMutationQuery(
                        "update " + persister.getEntityName() + " r set r." + property + " = :value where id(r) = :id")
                .setParameter("value", value)
                .setParameter("id", persister.getIdentifier(owner, session));
        if (session instanceof Session) {
            update.setFlushMode(FlushModeType.COMMIT);
        }
        boolean stored = update.executeUpdate() == 1;
        int place = Arrays.asList(persister.getPropertyNames()).indexOf(property);
        persister.setValue(owner, place, value);
        EntityEntry entry = session.getPersistenceContextInternal().getEntry(owner);
        if (entry != null && entry.getLoadedState() != null) {
            entry.getLoadedState()[place] = value; // so that the session does not store it again
        }
        return stored;
    }

    /**
     * Reads the row again, past this session and any cache; null if there is none, or a filter hides
     * it. If the lock mode locks, no other transaction numbers the row until this one ends.
     */
    @Nullable
    Row now(SharedSessionContractImplementor session, Object owner, LockMode lock) {
        EntityPersister persister = session.getEntityPersister(null, owner);
        SelectionQuery<Object> query = session.createSelectionQuery(
                        "select r." + property + " from " + persister.getEntityName() + " r where id(r) = :id",
                        Object.class)
                .setParameter("id", persister.getIdentifier(owner, session))
                .setHibernateLockMode(lock);
        if (session instanceof Session) { // a stateless one has nothing to flush, and refuses the mode
            query.setFlushMode(FlushModeType.COMMIT); // a flush is running
        }
        List<Object> rows = query.getResultList();
        return rows.isEmpty() ? null : new Row(rows.get(0));
    }
}
