// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import dev.seriatim.SequenceException;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.GeneratorCreationContext;
import org.jspecify.annotations.Nullable;

/**
 * Draws the values of one property. Thread-safe.
 *
 * @param sequences the sequences of the session factory
 * @param request the property's sequence
 * @param conversion converts to the property's type
 * @param tenants the property with the row's tenant, if each tenant has its own numbers
 */
record Drawing(
        HibernateSequences sequences,
        SequenceRequest request,
        Conversion conversion,
        @Nullable TenantProperty tenants) {

    static Drawing of(
            GeneratorCreationContext context,
            String name,
            Guarantee guarantee,
            String mode,
            Conversion conversion,
            @Nullable TenantProperty tenants) {
        HibernateSequences sequences = HibernateSequences.of(context.getServiceRegistry());
        if (conversion.bitReversed() && guarantee != Guarantee.UNIQUE) {
            throw new SequenceException.Misconfigured(
                    "%s: numbers with their bits reversed are not %s; use guarantee UNIQUE, or remove bitReversed"
                            .formatted(conversion.place(), guarantee));
        }
        SequenceRequest request = new SequenceRequest(
                name, guarantee, SequenceRequest.mode(conversion.place(), guarantee, mode), tenants != null);
        sequences.request(request, conversion.place().text());
        return new Drawing(sequences, request, conversion, tenants);
    }

    static Drawing initialized(@Nullable Drawing drawing) {
        if (drawing == null) {
            throw new IllegalStateException("this generator is not initialized; Hibernate does so for an annotation");
        }
        return drawing;
    }

    /** Draws a number for a row that exists, or for a new one. */
    Object next(SharedSessionContractImplementor session, Object owner, boolean rowExists) {
        NumberSource source = source(sequences.of(session), session, owner, rowExists);
        return conversion.apply(source.name(), source.next(session));
    }

    /** Returns whether a draw is part of the session's transaction, and blocks other draws until it ends. */
    boolean isGapless() {
        return request.guarantee() == Guarantee.GAPLESS;
    }

    /** Returns whether one transaction at a time writes to the session's database. */
    boolean hasOneWriter(SharedSessionContractImplementor session) {
        return sequences.of(session).hasOneWriter();
    }

    private NumberSource source(
            OpenSequences open, SharedSessionContractImplementor session, Object owner, boolean rowExists) {
        if (tenants == null) {
            return open.source(request);
        }
        Object tenant = rowExists ? tenants.stored(session, owner) : tenants.tenant(session, owner);
        if (tenant == null) {
            throw new SequenceException.Misconfigured(request.name(), """
                    numbers each tenant by itself, and neither the row nor the session has one; open the session with \
                    a tenant identifier""");
        }
        return open.source(request, tenant);
    }
}
