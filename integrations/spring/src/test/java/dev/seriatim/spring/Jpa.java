// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.hibernate.jpa.HibernatePersistenceProvider;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaDialect;

/** Hibernate over a data source, as Spring sets it up. */
final class Jpa implements AutoCloseable {

    /** A row of the table of invoices. */
    @Entity(name = "invoice")
    static class Invoice {
        @Id
        long number;

        Invoice() {}

        Invoice(long number) {
            this.number = number;
        }
    }

    private static final Logger HIBERNATE = Logger.getLogger("org.hibernate");

    static {
        HIBERNATE.setLevel(Level.WARNING);
    }

    private final LocalContainerEntityManagerFactoryBean bean = new LocalContainerEntityManagerFactoryBean();
    final EntityManagerFactory factory;

    /** The entity manager that {@code @PersistenceContext} injects. */
    final EntityManager entities;

    final JpaTransactionManager manager;

    Jpa(DataSource source) {
        this(source, Invoice.class);
    }

    Jpa(DataSource source, Class<?>... entities) {
        bean.setDataSource(source);
        bean.setPersistenceUnitName("invoices");
        bean.setManagedTypes(PersistenceManagedTypes.of(
                Stream.of(entities).map(Class::getName).toArray(String[]::new)));
        bean.setPersistenceProviderClass(HibernatePersistenceProvider.class);
        bean.setJpaDialect(new HibernateJpaDialect());
        bean.afterPropertiesSet();
        factory = Objects.requireNonNull(bean.getObject());
        this.entities = SharedEntityManagerCreator.createSharedEntityManager(factory);
        manager = new JpaTransactionManager(factory);
        manager.afterPropertiesSet();
    }

    @Override
    public void close() {
        bean.destroy();
    }
}
