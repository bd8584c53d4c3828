// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import dev.seriatim.servers.Database;
import java.util.HashMap;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;

/** Opens session factories with what every supported version of Hibernate has. */
final class Factories {
    private Factories() {}

    /** Returns the settings of a database, reached by its URL; the schema tool creates missing tables. */
    static Map<String, Object> settings(Database database) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("jakarta.persistence.jdbc.url", database.url());
        settings.put("hibernate.connection.pool_size", 20);
        settings.put("hibernate.hbm2ddl.auto", "update");
        settings.put("hibernate.jdbc.batch_size", 50);
        return settings;
    }

    static Map<String, Object> settings(Database database, String name, Object value) {
        Map<String, Object> settings = settings(database);
        settings.put(name, value);
        return settings;
    }

    static SessionFactory open(Map<String, Object> settings, Class<?>... entities) {
        StandardServiceRegistry registry =
                new StandardServiceRegistryBuilder().applySettings(settings).build();
        try {
            MetadataSources sources = new MetadataSources(registry);
            for (Class<?> entity : entities) {
                sources.addAnnotatedClass(entity);
            }
            return sources.buildMetadata().buildSessionFactory();
        } catch (RuntimeException e) {
            StandardServiceRegistryBuilder.destroy(registry);
            throw e;
        }
    }
}
