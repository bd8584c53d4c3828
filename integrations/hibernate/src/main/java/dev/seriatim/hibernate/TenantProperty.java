// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.util.Arrays;
import java.util.stream.Stream;
import org.hibernate.annotations.TenantId;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * The property with a row's tenant. Immutable.
 *
 * @param name the property's name
 */
record TenantProperty(String name) {

    /** Returns the entity's property with {@code @TenantId}; null if there is none. */
    static @Nullable TenantProperty of(GeneratorCreationContext context) {
        Class<?> entity = context.getPersistentClass().getMappedClass();
        return Stream.<@Nullable Class<?>>iterate(entity, type -> type != null, type -> type.getSuperclass())
                .flatMap(type ->
                        Stream.concat(Stream.of(type.getDeclaredFields()), Stream.of(type.getDeclaredMethods())))
                .filter(member -> member.isAnnotationPresent(TenantId.class))
                .map(member -> new TenantProperty(name(member)))
                .findFirst()
                .orElse(null);
    }

    private static String name(AnnotatedElement member) {
        String name = ((Member) member).getName();
        return member instanceof Field ? name : Character.toLowerCase(name.charAt(3)) + name.substring(4); // get…
    }

    /** Returns the stored tenant of a row, which the program cannot change by setting the property. */
    @Nullable
    Object stored(SharedSessionContractImplementor session, Object owner) {
        EntityPersister persister = session.getEntityPersister(null, owner);
        if (!Arrays.asList(persister.getPropertyNames()).contains(name)) {
            return tenant(session, owner); // a part of the key, which never changes
        }
        StoredValue.Row row = new StoredValue(name).of(session, owner);
        return row == null ? null : row.value();
    }

    /**
     * Returns the tenant of a new row: its own, since a session of the root tenant stores rows of other tenants,
     * otherwise the session's.
     */
    @Nullable
    Object tenant(SharedSessionContractImplementor session, Object owner) {
        Object own = session.getEntityPersister(null, owner).getPropertyValue(owner, name);
        return own == null ? session.getTenantIdentifierValue() : own;
    }
}
