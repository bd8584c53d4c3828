// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import dev.seriatim.Allocation;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import org.jspecify.annotations.Nullable;

/**
 * A sequence that an entity needs. Immutable.
 *
 * @param name the sequence's name; it has no {@code @}, which separates it from a tenant's
 * @param guarantee the guarantee of its numbers
 * @param mode the mode for draws outside the session's transaction; null if the guarantee decides
 * @param perTenant whether each tenant has its own sequence, defined like this one
 */
record SequenceRequest(
        String name, Guarantee guarantee, @Nullable Allocation mode, boolean perTenant) {

    private static final String SEPARATOR = "@";

    SequenceRequest {
        SequenceDefinition.checkName(name);
        if (name.contains(SEPARATOR)) {
            throw new SequenceException.Misconfigured(
                    name, "its name contains '@', which separates names from tenants; choose a name without it");
        }
    }

    /** Parses the mode of an annotation, and checks that it keeps the guarantee. */
    static @Nullable Allocation mode(Place place, Guarantee guarantee, String mode) {
        if (mode.isEmpty()) {
            return null;
        }
        place.require(guarantee != Guarantee.GAPLESS, """
                gapless numbers are drawn in the session's transaction, and a mode is for those drawn outside; remove \
                the mode, or the guarantee""");
        Allocation allocation;
        try {
            allocation = Allocation.named(mode);
        } catch (SequenceException.Misconfigured unknown) {
            throw new SequenceException.Misconfigured(
                    place + ": " + unknown.getMessage() + "; for gapless numbers, set the guarantee to GAPLESS",
                    unknown);
        }
        place.require(
                guarantee != Guarantee.ORDERED || allocation.ordered(),
                "numbers of mode " + mode
                        + " are not ordered; use mode CONFIRMED, COMBINED or ASYNC, or remove the mode");
        return allocation;
    }

    /** Returns the name of a tenant's sequence. */
    String of(Object tenant) {
        String ofTenant = name + SEPARATOR + tenant;
        try {
            return SequenceDefinition.checkName(ofTenant);
        } catch (SequenceException.Misconfigured invalid) {
            throw ofTenant.codePointCount(0, ofTenant.length()) <= SequenceDefinition.MAX_NAME_LENGTH
                    ? invalid
                    : new SequenceException.Misconfigured(
                            invalid.getMessage() + "; name a shorter sequence in the annotation", invalid);
        }
    }

    /** Returns whether a sequence is this one, or a tenant's. */
    boolean covers(String other) {
        return other.equals(name) || (perTenant && other.startsWith(name + SEPARATOR));
    }
}
