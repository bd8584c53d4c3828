// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import java.util.Arrays;
import org.hibernate.bytecode.enhance.spi.LazyPropertyInitializer;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Finds the number that a row has. Immutable.
 *
 * @param property the property that is numbered
 */
record StoredNumber(String property) {

    /**
     * Returns the number that the row has in the database; null if it has none. What the entity says does not count:
     * the program can set it, and a transaction that was rolled back has left it there.
     */
    @Nullable
    Object of(SharedSessionContractImplementor session, Object owner) {
        EntityEntry entry = session.getPersistenceContextInternal().getEntry(owner);
        if (entry != null && entry.getLoadedState() != null) {
            Object loaded = entry.getLoadedValue(property);
            if (loaded != LazyPropertyInitializer.UNFETCHED_PROPERTY) {
                return loaded;
            }
        }
        EntityPersister persister = session.getEntityPersister(null, owner);
        Object[] row = persister.getDatabaseSnapshot(persister.getIdentifier(owner, session), session);
        return row == null
                ? null
                : row[Arrays.asList(persister.getPropertyNames()).indexOf(property)];
    }
}
