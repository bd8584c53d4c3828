// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Generators for identifiers and numbered columns of Hibernate entities. */
@NullMarked
module dev.seriatim.hibernate {
    requires transitive dev.seriatim.jdbc;
    requires transitive org.hibernate.orm.core;
    requires static org.jspecify;
}
