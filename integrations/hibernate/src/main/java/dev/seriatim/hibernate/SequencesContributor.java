// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import java.util.Map;
import org.hibernate.boot.registry.StandardServiceInitiator;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.service.spi.ServiceContributor;
import org.hibernate.service.spi.ServiceRegistryImplementor;

/** Adds the sequences to Hibernate's services. Found by Hibernate through the service loader. */
public final class SequencesContributor implements ServiceContributor {

    /** For the service loader. */
    public SequencesContributor() {}

    @Override
    public void contribute(StandardServiceRegistryBuilder services) {
        services.addInitiator(new Initiator());
    }

    private static final class Initiator implements StandardServiceInitiator<HibernateSequences> {

        @Override
        public Class<HibernateSequences> getServiceInitiated() {
            return HibernateSequences.class;
        }

        @Override
        public HibernateSequences initiateService(Map<String, Object> settings, ServiceRegistryImplementor registry) {
            return new HibernateSequences(settings, registry);
        }
    }
}
