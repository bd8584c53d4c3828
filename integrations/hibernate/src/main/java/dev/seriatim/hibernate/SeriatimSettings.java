// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

/**
 * The settings of a session factory that concern its sequences.
 *
 * <p><b>Connections.</b> Numbers that are not gapless are drawn outside the session's transaction, because waiting
 * callers may hold all its connections: on at most two that are kept, opened with the URL and account of the session
 * factory's settings or of its HikariCP pool. Any other data source lends these two permanently, so it needs more. A
 * {@code MultiTenantConnectionProvider} lends one for each reservation instead: give its pool more connections than
 * there are threads that persist.
 *
 * <p>Where one transaction at a time writes, as in SQLite, a session's transaction draws all its numbers itself, and a
 * rollback takes them back.
 *
 * <p><b>Creation.</b> If {@code hibernate.hbm2ddl.auto} or {@code jakarta.persistence.schema-generation.database.action}
 * creates or updates tables, the session factory creates the sequences that are missing, after the numbers of their
 * columns. If it drops and creates tables, the sequences of their columns restart, except those in use. Otherwise it checks at
 * start-up that each sequence exists. A sequence that is behind its columns is refused. A tenant
 * with a schema or database of its own is checked, or gets its sequences, on its first use.
 *
 * <p>The sequences close with the session factory, which gives unused numbers back.
 */
public final class SeriatimSettings {

    /**
     * The sequences: a {@link dev.seriatim.jdbc.JdbcSequences}, or a {@code Function<String,
     * JdbcSequences>} of the tenant identifier. The function is asked once for each tenant of a {@code
     * MultiTenantConnectionProvider}, and otherwise once with an empty text. They remain open when the session factory
     * closes.
     */
    public static final String SEQUENCES = "seriatim.sequences";

    private SeriatimSettings() {}
}
