// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Sequences in Spring and Spring Boot applications. */
@SuppressWarnings("requires-automatic") // Spring's modules have no other names
@NullMarked
module dev.seriatim.spring {
    requires transitive dev.seriatim.jdbc;
    requires static jakarta.persistence;
    requires static java.naming;
    requires static org.hibernate.orm.core;
    requires static org.jspecify;
    requires static spring.core;
    requires static spring.data.commons;
    requires static spring.data.relational;
    requires static spring.jdbc;
    requires static spring.orm;
    requires static spring.tx;

    exports dev.seriatim.spring;
}
