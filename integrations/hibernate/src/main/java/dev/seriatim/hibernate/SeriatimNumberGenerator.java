// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import java.lang.annotation.Annotation;
import java.lang.reflect.Member;
import java.util.EnumSet;
import java.util.Objects;
import org.hibernate.LockMode;
import org.hibernate.StaleObjectStateException;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.resource.transaction.spi.TransactionObserver;
import org.jspecify.annotations.Nullable;

/** Generates the numbers of {@link SeriatimNumber}. Created by Hibernate. Thread-safe after its initialization. */
public final class SeriatimNumberGenerator
        implements BeforeExecutionGenerator, AnnotationBasedGenerator<SeriatimNumber> {

    private static final long serialVersionUID = 1L;

    private transient @Nullable Drawing drawing;
    private transient @Nullable LateNumber late;
    private transient @Nullable StoredValue stored;
    private transient boolean atCommit;

    /** For Hibernate, which then initializes it. */
    public SeriatimNumberGenerator() {}

    @Override
    public void initialize(SeriatimNumber annotation, Member member, GeneratorCreationContext context) {
        initialize(annotation, context);
    }

    /** Called by Hibernate 7.4 and later instead of the method above. */
    public void initialize(Annotation annotation, GeneratorCreationContext context) {
        SeriatimNumber given = (SeriatimNumber) annotation;
        Place place = Place.ofNumber(context);
        stored = new StoredValue(context.getProperty().getName());
        late = LateNumber.of(place, context, given.of(), given.when());
        atCommit = given.atCommit();
        place.require(
                !atCommit || given.guarantee() == Guarantee.GAPLESS,
                "other numbers than gapless ones lock nothing until the commit; remove atCommit");
        PersistentClass entity = context.getPersistentClass();
        String property = context.getProperty().getName();
        LateNumber checked = late;
        HibernateSequences.of(context.getServiceRegistry()).checkAtStart(place.toString(), () -> {
            checkColumn(place, entity, property);
            if (checked != null) {
                checked.check(place, entity);
            }
            if (given.atCommit()) {
                LateNumber.checkAtCommit(place, entity, property);
            }
        });
        String name = place.sequence(context, given.value(), false);
        Drawing.Wanted wanted = new Drawing.Wanted(name, given.guarantee(), "", given.bitReversed(), given.pattern());
        drawing = Drawing.of(context, place, wanted, Drawing.tenantProperty(context));
    }

    /** Refuses a column that is not insertable: Hibernate calls its generator too, and drops the result. */
    private static void checkColumn(Place place, PersistentClass entity, String property) {
        if (!entity.hasProperty(property)) {
            throw Place.inEmbeddable(place.toString());
        }
        place.require(
                entity.getProperty(property).getValue().hasAnyInsertableColumns(),
                "its column is not insertable, and the number would be lost; remove insertable = false");
    }

    @Override
    public @Nullable Object generate(
            SharedSessionContractImplementor session,
            Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        if (eventType == EventType.INSERT) {
            return due(session, owner, false);
        }
        StoredValue numbers = Objects.requireNonNull(stored);
        StoredValue.Row row = numbers.of(session, owner);
        if (row == null) {
            return ofNewRow(numbers, session, owner);
        }
        if (row.value() != null || late == null) {
            return row.value();
        }
        EntityEntry entry = session.getPersistenceContextInternal().getEntry(owner);
        if (entry != null && !entry.isExistsInDatabase()) {
            return due(session, owner, true); // Hibernate 8 plans a whole flush, updates too, before it inserts the row
        }
        // Another session, or a stale cache, may have read the row before it was numbered: also if this one does not
        // number it, its update would write the missing number back. The row comes before the counter.
        StoredValue.Row now = numbers.now(session, owner, lock(session));
        if (now == null) {
            throw stale(session, owner); // deleted, or hidden by a filter, which must not look like a missing number
        }
        return now.value() == null ? due(session, owner, true) : now.value();
    }

    private @Nullable Object due(SharedSessionContractImplementor session, Object owner, boolean rowExists) {
        if (late != null && !late.isDue(session, owner)) {
            return null;
        }
        if (atCommit && session.isTransactionInProgress()) {
            session.getTransactionCoordinator().addObserver(new BeforeCommit(session, owner));
            return null;
        }
        return Drawing.initialized(drawing).next(session, owner, rowExists);
    }

    /** Numbers a row when its transaction, which has flushed it, commits. */
    private final class BeforeCommit implements TransactionObserver {

        private final SharedSessionContractImplementor session;
        private final Object owner;

        BeforeCommit(SharedSessionContractImplementor session, Object owner) {
            this.session = session;
            this.owner = owner;
        }

        @Override
        public void afterBegin() {}

        @Override
        public void beforeCompletion() {
            StoredValue numbers = Objects.requireNonNull(stored);
            StoredValue.Row row = numbers.inDatabase(session, owner);
            if (row != null && row.value() == null) { // neither deleted since, nor numbered
                Object number = Drawing.initialized(drawing).next(session, owner, true);
                if (!numbers.store(session, owner, number)) {
                    throw stale(session, owner);
                }
            }
        }

        @Override
        public void afterCompletion(boolean successful, boolean delayed) {
            session.getTransactionCoordinator().removeObserver(this);
        }
    }

    /** An upsert that inserts. Two may do so at once; the counter's lock, which comes first here, lets one go on. */
    private @Nullable Object ofNewRow(StoredValue numbers, SharedSessionContractImplementor session, Object owner) {
        Object number = due(session, owner, false);
        if (number != null && Drawing.initialized(drawing).isGapless()) {
            StoredValue.Row now = numbers.now(session, owner, lock(session));
            if (now != null && now.value() != null) {
                throw stale(session, owner); // its rollback takes the number back
            }
        }
        return number;
    }

    private static StaleObjectStateException stale(SharedSessionContractImplementor session, Object owner) {
        EntityPersister persister = session.getEntityPersister(null, owner);
        return new StaleObjectStateException(persister.getEntityName(), persister.getIdentifier(owner, session));
    }

    /** Returns the lock that a draw needs: none if one transaction at a time writes, since the draw excludes others. */
    private LockMode lock(SharedSessionContractImplementor session) {
        return session.isTransactionInProgress()
                        && !Drawing.initialized(drawing).hasOneWriter(session)
                ? LockMode.PESSIMISTIC_WRITE
                : LockMode.NONE;
    }

    /** Includes the update, where the generator returns the row's number. */
    @Override
    public EnumSet<EventType> getEventTypes() {
        return EnumSet.of(EventType.INSERT, EventType.UPDATE);
    }
}
