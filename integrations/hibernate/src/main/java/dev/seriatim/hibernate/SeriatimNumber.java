// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.ValueGenerationType;

/**
 * Numbers the rows of a table in a column that is not the identifier, without gaps. Either on insert:
 *
 * <pre>{@code
 * @SeriatimNumber
 * private long number;
 * }</pre>
 *
 * or late, when another property first has a value, on insert or update:
 *
 * <pre>{@code
 * @SeriatimNumber(of = "status", when = "ISSUED", pattern = "INV-{seq:6}")
 * private String number; // null until the invoice is issued
 * }</pre>
 *
 * <p>A row is numbered once. After that, its number stays, whatever the program assigns to either property. A value
 * that the program assigns before is ignored, because it may come from a transaction that was rolled back. Before an
 * update, a row whose late number is missing is locked and read again, so two sessions that issue the same draft assign
 * one number. Statements that bypass entities, such as an HQL update, number nothing. If the row is gone, or an
 * enabled filter hides it, the update fails with a {@code StaleObjectStateException}.
 *
 * <p>The number is drawn when the insert or update is flushed, on the session's connection, so a rollback takes it
 * back. After a rollback, also to a savepoint, discard the session or clear it, as Hibernate requires: its entities
 * still have the numbers that the database has taken back.
 *
 * <p>The property has one of the types that {@link Seriatim} allows. A late number must be nullable and in the entity's
 * own table, not a secondary one; with a table per class, only abstract classes may have subclasses.
 *
 * <p><b>Multi-tenancy.</b> With a {@code MultiTenantConnectionProvider}, each tenant has its own sequences, in its own
 * schema or database. If the entity has a {@code @TenantId}, each tenant is numbered by itself, from the sequence
 * NAME@TENANT. It is created with the tenant's first number, and defined like the sequence NAME.
 */
@ValueGenerationType(generatedBy = SeriatimNumberGenerator.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface SeriatimNumber {

    /**
     * The sequence's name, without {@code @}. By default the names of table and column, as in {@code invoice_number};
     * a schema or catalogue that the mapping or {@code hibernate.default_schema} names comes before it.
     */
    String value() default "";

    /** The guarantee of the numbers. */
    Guarantee guarantee() default Guarantee.GAPLESS;

    /** The property that decides when a row is numbered. By default, rows are numbered on insert. */
    String of() default "";

    /** The value of that property at which a row is numbered: an enum constant's name, or the value as text. */
    String when() default "";

    /**
     * Draws the number when the transaction commits, after the last flush, and stores it by an UPDATE of its own: the counter is
     * locked from then to the end of the commit, not from the flush on. Until the commit, the property is null; so it is not
     * primitive, and its column is nullable. Only for {@link Guarantee#GAPLESS}, and for an entity in one table.
     */
    boolean atCommit() default false;

    /** As {@link Seriatim#bitReversed()}. */
    boolean bitReversed() default false;

    /** As {@link Seriatim#pattern()}. */
    String pattern() default "";
}
