// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Generators for identifiers and numbered columns of Hibernate entities. */
@NullMarked
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // every version has the name in its manifest
module dev.seriatim.hibernate {
    requires transitive dev.seriatim.jdbc;
    requires transitive org.hibernate.orm.core;
    requires jakarta.persistence;
    requires static org.jspecify;

    exports dev.seriatim.hibernate;

    provides org.hibernate.service.spi.ServiceContributor with
            dev.seriatim.hibernate.SequencesContributor;
    provides org.hibernate.integrator.spi.Integrator with
            dev.seriatim.hibernate.SequencesContributor;
}
