// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Sequences in Spring and Spring Boot applications. */
@NullMarked
@SuppressWarnings("requires-automatic") // Spring's jars are not modules, but have lasting names
module dev.seriatim.spring {
    requires transitive dev.seriatim.jdbc;
    requires static com.zaxxer.hikari;
    requires static dev.seriatim.couchbase;
    requires static dev.seriatim.feed;
    requires static dev.seriatim.hibernate;
    requires static dev.seriatim.micrometer;
    requires static jakarta.persistence;
    requires static java.naming;
    requires static org.hibernate.orm.core;
    requires static org.jspecify;
    requires static spring.aop;
    requires static spring.beans;
    requires static spring.boot.actuator.autoconfigure;
    requires static spring.boot.actuator;
    requires static spring.boot.autoconfigure;
    requires static spring.boot.health;
    requires static spring.boot;
    requires static spring.context;
    requires static spring.core;
    requires static spring.data.commons;
    requires static spring.data.relational;
    requires static spring.jdbc;
    requires static spring.modulith.events.api;
    requires static spring.modulith.events.core;
    requires static spring.orm;
    requires static spring.tx;

    exports dev.seriatim.spring;
    exports dev.seriatim.spring.boot;

    opens dev.seriatim.spring.boot;
}
