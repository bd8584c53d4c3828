// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;

/**
 * Generates an entity's identifier from a sequence. Not combined with {@code @GeneratedValue}:
 *
 * <pre>{@code
 * @Id
 * @Seriatim
 * private long id;
 * }</pre>
 *
 * <p>The identifier is a {@code long}, an {@code int}, one of their wrappers, a {@code BigInteger}, or a {@code String}
 * with a {@link #pattern}. It is known after {@code persist}, before the insert, so inserts can be batched.
 *
 * <p><b>Gapless identifiers</b> are drawn by {@code persist}, inside the transaction. If the entity is detached, or the
 * persistence context cleared, before the insert is flushed, and the transaction commits, its number is missing. The
 * same holds for an entity that is removed.
 *
 * <p><b>Multi-tenancy.</b> With a {@code MultiTenantConnectionProvider}, each tenant has its own sequences, in its own
 * schema or database. With {@code @TenantId}, where tenants share a table and its primary key, they share the sequence
 * of its identifiers, too: two tenants never have the same identifier.
 *
 * <p>{@link SeriatimSettings} says where the sequences are and who creates them.
 */
@IdGeneratorType(SeriatimIdGenerator.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface Seriatim {

    /**
     * The sequence's name, without {@code @}. By default the table's name and {@code _id}, such as {@code orders_id}; a
     * schema or catalogue that the mapping or {@code hibernate.default_schema} names comes before it, as in {@code
     * sales.orders_id}. Entities that name the same sequence share its numbers.
     */
    String value() default "";

    /** The guarantee of the numbers. */
    Guarantee guarantee() default Guarantee.UNIQUE;

    /**
     * The mode: {@code ASYNC}, {@code COMBINED}, {@code CONFIRMED}, {@code BATCH}, {@code ASYNC_BATCH} or {@code
     * ADAPTIVE}. By default, the fastest mode that keeps the guarantee. Only ordered modes go with a guarantee of
     * order, and none with gapless numbers, which are drawn in the session's transaction.
     *
     * @see dev.seriatim.Allocation
     */
    String mode() default "";

    /**
     * Whether to reverse the low 63 bits of each number, so that neighbours end up far apart, as Spanner advises. Only
     * for {@code long}, {@code BigInteger} and {@code String}, and not with a guarantee of order.
     */
    boolean bitReversed() default false;

    /**
     * The pattern of a {@code String} identifier, as in {@code "ORD-{seq:8}"}. Required for a {@code String} and
     * forbidden for a number.
     *
     * @see dev.seriatim.number.NumberPattern
     */
    String pattern() default "";
}
