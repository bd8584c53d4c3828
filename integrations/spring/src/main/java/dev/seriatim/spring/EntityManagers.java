// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import dev.seriatim.SequenceException;
import jakarta.persistence.EntityManagerFactory;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Keeps entity managers out of a unit that do not take part in it: what they write would be in no transaction, and lost.
 */
final class EntityManagers {

    private static final boolean PRESENT =
            ClassUtils.isPresent("jakarta.persistence.EntityManagerFactory", EntityManagers.class.getClassLoader());

    private final Map<Object, Object> boundBefore = new LinkedHashMap<>();

    /** Takes those from this thread that are open on it, such as the one of a web request. */
    EntityManagers() {
        bound().forEach((factory, holder) -> {
            boundBefore.put(factory, holder);
            TransactionSynchronizationManager.unbindResource(factory);
        });
    }

    /** Throws if the unit has used one of another factory than these. */
    void checkUnused(String sequence, Collection<?> joined) {
        if (!joined.containsAll(bound().keySet())) {
            throw new SequenceException.Misconfigured(
                    sequence,
                    "an EntityManager was used in a unit of work that it does not take part in; get the grouped transactions"
                            + " from JpaGroupedTransactions.of, with its EntityManagerFactory");
        }
    }

    /** Gives the thread back what was taken from it. */
    void restore() {
        boundBefore.forEach((factory, holder) -> {
            TransactionSynchronizationManager.unbindResourceIfPossible(factory);
            TransactionSynchronizationManager.bindResource(factory, holder);
        });
    }

    private static Map<Object, Object> bound() {
        Map<Object, Object> bound = new LinkedHashMap<>();
        if (PRESENT) {
            TransactionSynchronizationManager.getResourceMap().forEach((key, value) -> {
                if (key instanceof EntityManagerFactory) {
                    bound.put(key, value);
                }
            });
        }
        return bound;
    }
}
