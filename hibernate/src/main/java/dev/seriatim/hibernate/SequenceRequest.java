// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;

/**
 * A sequence that an entity needs. Immutable.
 *
 * @param name the sequence's name; it has no {@code @}, which separates it from a tenant's
 * @param guarantee what its numbers guarantee
 * @param perTenant whether each tenant has a sequence of its own, defined like this one
 */
record SequenceRequest(String name, Guarantee guarantee, boolean perTenant) {

    private static final String SEPARATOR = "@";

    SequenceRequest {
        SequenceDefinition.checkName(name);
        if (name.contains(SEPARATOR)) {
            throw new SequenceException.Misconfigured(
                    name, "its name contains '@', which separates names from tenants; choose a name without it");
        }
    }

    /** Returns the name of a tenant's sequence. */
    String of(Object tenant) {
        return SequenceDefinition.checkName(name + SEPARATOR + tenant);
    }

    /** Returns whether a sequence is this one, or a tenant's. */
    boolean covers(String other) {
        return other.equals(name) || (perTenant && other.startsWith(name + SEPARATOR));
    }
}
