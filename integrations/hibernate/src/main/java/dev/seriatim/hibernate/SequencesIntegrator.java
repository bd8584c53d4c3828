// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;

/** Opens and closes the sequences with their session factory. Found by Hibernate through the service loader. */
public final class SequencesIntegrator implements Integrator {

    /** For the service loader. */
    public SequencesIntegrator() {}

    @Override
    public void integrate(Metadata metadata, BootstrapContext context, SessionFactoryImplementor factory) {
        HibernateSequences sequences = HibernateSequences.of(factory.getServiceRegistry());
        factory.addObserver(new Lifecycle(sequences));
    }

    @Override
    public void disintegrate(SessionFactoryImplementor factory, SessionFactoryServiceRegistry registry) {
        // the observer has closed the sequences
    }

    private static final class Lifecycle implements SessionFactoryObserver {

        private static final long serialVersionUID = 1L;

        private final HibernateSequences sequences;

        Lifecycle(HibernateSequences sequences) {
            this.sequences = sequences;
        }

        @Override
        public void sessionFactoryCreated(SessionFactory factory) {
            sequences.start(factory);
        }

        @Override
        public void sessionFactoryClosing(SessionFactory factory) {
            sequences.closing(factory);
        }
    }
}
