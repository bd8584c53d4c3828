// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a bean that handles the entries of a feed, in order, with {@code seriatim-feeds}:
 *
 * <pre>{@code
 * @FeedHandler(feed = "orders", reader = "billing")
 * void bill(Entry order) {
 *     jdbc.update("INSERT INTO bill (order_id) VALUES (?)", order.key());
 * }
 * }</pre>
 *
 * <p>Its parameters are an {@code Entry}, or a {@code List} of them, and, if it needs it, the {@code Connection}. It runs on a
 * thread of its own, in a transaction of the application's transaction manager, in which the reader moves on: what it does
 * there through JDBC or JPA happens exactly once for each entry, what it does elsewhere at least once. Of several instances,
 * in any process, one works at a time.
 *
 * <p>If it throws, the batch is rolled back, and its entries are handled again one at a time, with growing pauses, until
 * they succeed. None is skipped.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface FeedHandler {

    /** The table or the name of the feed, as in {@code JdbcFeeds.table}; may hold placeholders. */
    String feed();

    /** The reader's name, whose place is kept in the database; may hold placeholders. */
    String reader();

    /** The maximum number of entries in one transaction. */
    int batch() default 500;

    /** Columns of the rows that the entries carry. Those of an {@code Outbox} bean carry its columns without this. */
    String[] columns() default {};
}
