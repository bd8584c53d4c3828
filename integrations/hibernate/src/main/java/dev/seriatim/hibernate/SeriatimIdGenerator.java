// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import java.lang.annotation.Annotation;
import java.lang.reflect.Member;
import java.util.EnumSet;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.GeneratorCreationContext;
import org.jspecify.annotations.Nullable;

/** Generates the identifiers of {@link Seriatim}. Created by Hibernate. Thread-safe after its initialization. */
public final class SeriatimIdGenerator implements BeforeExecutionGenerator, AnnotationBasedGenerator<Seriatim> {

    private static final long serialVersionUID = 1L;

    private transient @Nullable Drawing drawing;
    private String place = "an identifier";

    /** For Hibernate, which then initializes it. */
    public SeriatimIdGenerator() {}

    @Override
    public void initialize(Seriatim annotation, Member member, GeneratorCreationContext context) {
        initialize(annotation, Place.ofId(context, member), context);
    }

    /** Called by Hibernate 7.4 and later instead of the method above. */
    public void initialize(Annotation annotation, GeneratorCreationContext context) {
        initialize((Seriatim) annotation, Place.ofId(context, null), context);
    }

    private void initialize(Seriatim given, Place place, GeneratorCreationContext context) {
        this.place = place.toString();
        String name = place.sequence(context, given.value(), true);
        Drawing.Wanted wanted =
                new Drawing.Wanted(name, given.guarantee(), given.mode(), given.bitReversed(), given.pattern());
        drawing = Drawing.of(context, place, wanted, null);
    }

    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        return Drawing.initialized(drawing).next(session, owner, false);
    }

    @Override
    public EnumSet<EventType> getEventTypes() {
        return EnumSet.of(EventType.INSERT);
    }

    /** Hibernate ends its refusal of an HQL {@code insert … select} with this. */
    @Override
    public String toString() {
        return "@Seriatim on " + place + " draws for entities only; select the rows and persist them as entities";
    }
}
