// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.servers.Database;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;
import org.springframework.util.ClassUtils;

/** The Spring Boot that the suite runs on: 3.5 or 4. */
final class Boot {

    /** The application that this thread started last. */
    private static final ThreadLocal<ConfigurableApplicationContext> LAST = new ThreadLocal<>();

    private Boot() {}

    static boolean is4() {
        return Objects.requireNonNull(SpringBootVersion.getVersion()).startsWith("4.");
    }

    /** Returns a runner of our auto-configurations, and of none of Boot's. */
    static ApplicationContextRunner runner() {
        return slice().withConfiguration(AutoConfigurations.of(
                SeriatimAutoConfiguration.class, FeedsAutoConfiguration.class, SequenceUsersAutoConfiguration.class));
    }

    /** Returns a runner of no auto-configuration of ours, as a slice of Boot's tests is. */
    static ApplicationContextRunner slice() {
        return new ApplicationContextRunner().withInitializer(LAST::set);
    }

    /** Returns a runner with a pool of HikariCP, as Boot configures it. */
    static ApplicationContextRunner pooled(Database database) {
        return runner().withConfiguration(AutoConfigurations.of(dataSourceAutoConfiguration()))
                .withPropertyValues(account(database));
    }

    static String[] account(Database database) {
        return new String[] {
            "spring.datasource.url=" + database.location(),
            "spring.datasource.username=" + database.user(),
            "spring.datasource.password=" + database.password(),
            "spring.datasource.type=" + HikariDataSource.class.getName(),
        };
    }

    static Class<?> dataSourceAutoConfiguration() {
        return moved(
                "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
                "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
    }

    static Class<?> couchbaseAutoConfiguration() {
        return moved(
                "org.springframework.boot.autoconfigure.couchbase.CouchbaseAutoConfiguration",
                "org.springframework.boot.couchbase.autoconfigure.CouchbaseAutoConfiguration");
    }

    static Class<?> sqlInitAutoConfiguration() {
        return moved(
                "org.springframework.boot.autoconfigure.sql.init.SqlInitializationAutoConfiguration",
                "org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration");
    }

    static Class<?> metricsAutoConfiguration() {
        return moved(
                "org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration",
                "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration");
    }

    static Class<?> simpleMetrics() {
        return moved(
                "org.springframework.boot.actuate.autoconfigure.metrics.export.simple.SimpleMetricsExportAutoConfiguration",
                "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration");
    }

    static String hibernateAutoConfiguration() {
        return moved(
                        "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
                        "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
                .getName();
    }

    private static Class<?> moved(String on3, String on4) {
        return ClassUtils.resolveClassName(is4() ? on4 : on3, Boot.class.getClassLoader());
    }

    /** Returns the description and the action that the user of an application that fails like this sees. */
    static FailureAnalysis analysis(Throwable failure) {
        ConfigurableApplicationContext failed = LAST.get();
        List<FailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation(Boot.class.getClassLoader())
                .load(
                        FailureAnalyzer.class,
                        ArgumentResolver.of(Environment.class, failed.getEnvironment())
                                .and(BeanFactory.class, failed.getBeanFactory()),
                        FailureHandler.handleMessage((message, cause) -> {}));
        for (FailureAnalyzer analyzer : analyzers) {
            try {
                FailureAnalysis analysis = analyzer.analyze(failure);
                if (analysis != null) {
                    return analysis;
                }
            } catch (NoClassDefFoundError e) {
                // is about another library; Boot passes over it, too
            }
        }
        throw new AssertionError("no analysis", failure);
    }

    static String lines(Throwable failure) {
        FailureAnalysis analysis = analysis(failure);
        return analysis.getDescription() + "\n" + analysis.getAction();
    }
}
