// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Sequences in Spring and Spring Boot applications. */
@NullMarked
@SuppressWarnings("requires-automatic") // Spring's jars are not modules, but have lasting names
module dev.seriatim.spring {
    requires transitive dev.seriatim.jdbc;
    requires static dev.seriatim.micrometer;
    requires static org.jspecify;
    requires static spring.beans;
    requires static spring.context;
    requires static spring.core;
    requires static spring.jdbc;
    requires static spring.orm;
    requires static spring.tx;
    requires static spring.boot;
    requires static spring.boot.actuator;
    requires static spring.boot.actuator.autoconfigure;
    requires static spring.boot.autoconfigure;
    requires static spring.boot.health;
    requires static com.zaxxer.hikari;

    exports dev.seriatim.spring.boot;

    opens dev.seriatim.spring.boot;
}
