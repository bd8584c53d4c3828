// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import java.lang.annotation.Annotation;
import java.lang.reflect.Member;
import java.util.EnumSet;
import java.util.Objects;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.GeneratorCreationContext;
import org.jspecify.annotations.Nullable;

/** Generates the numbers of {@link SeriatimNumber}. Created by Hibernate. Thread-safe after its initialization. */
public final class SeriatimNumberGenerator
        implements BeforeExecutionGenerator, AnnotationBasedGenerator<SeriatimNumber> {

    private static final long serialVersionUID = 1L;

    private transient @Nullable Drawing drawing;
    private transient @Nullable LateNumber late;
    private transient @Nullable StoredNumber stored;

    /** For Hibernate, which then initializes it. */
    public SeriatimNumberGenerator() {}

    @Override
    public void initialize(SeriatimNumber annotation, Member member, GeneratorCreationContext context) {
        initialize(annotation, context);
    }

    /** Called by Hibernate 7.4 and later in place of the other form; its parameter is the erasure of theirs. */
    public void initialize(Annotation annotation, GeneratorCreationContext context) {
        SeriatimNumber given = (SeriatimNumber) annotation;
        stored = new StoredNumber(context.getProperty().getName());
        late = LateNumber.of(context, given.of(), given.when());
        drawing = Drawing.of(
                context,
                given.value().isEmpty() ? DefaultNames.ofNumber(context) : given.value(),
                given.guarantee(),
                Conversion.of(context, given.bitReversed(), given.pattern()),
                TenantProperty.of(context));
    }

    @Override
    public @Nullable Object generate(
            SharedSessionContractImplementor session,
            Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        if (eventType == EventType.UPDATE) {
            Object numbered = Objects.requireNonNull(stored).of(session, owner);
            if (numbered != null || late == null) {
                return numbered;
            }
        }
        return late == null || late.isDue(session, owner)
                ? Drawing.initialized(drawing).next(session, owner)
                : null;
    }

    /** Also on update, where it keeps the row's number. */
    @Override
    public EnumSet<EventType> getEventTypes() {
        return EnumSet.of(EventType.INSERT, EventType.UPDATE);
    }
}
