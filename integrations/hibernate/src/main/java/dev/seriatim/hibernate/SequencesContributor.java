// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import java.util.Map;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.registry.StandardServiceInitiator;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.service.spi.ServiceContributor;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;

/**
 * Adds the sequences to Hibernate's services, and opens and closes them with the session factory. Found by Hibernate
 * through the service loader.
 */
public final class SequencesContributor implements ServiceContributor, Integrator {

    /** For the service loader. */
    public SequencesContributor() {}

    @Override
    public void contribute(StandardServiceRegistryBuilder services) {
        services.addInitiator(new Initiator());
    }

    @Override
    public void integrate(Metadata metadata, BootstrapContext context, SessionFactoryImplementor factory) {
        factory.addObserver(HibernateSequences.of(factory.getServiceRegistry()));
    }

    @Override
    public void disintegrate(SessionFactoryImplementor factory, SessionFactoryServiceRegistry registry) {
        // the observer has closed the sequences
    }

    private static final class Initiator implements StandardServiceInitiator<HibernateSequences> {
        @Override
        public Class<HibernateSequences> getServiceInitiated() {
            return HibernateSequences.class;
        }

        @Override
        public HibernateSequences initiateService(Map<String, Object> settings, ServiceRegistryImplementor registry) {
            return new HibernateSequences(registry);
        }
    }
}
