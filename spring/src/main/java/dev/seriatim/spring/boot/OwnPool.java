// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.DataSourceUnwrapper;

/**
 * A small pool with all the settings of the application's: its properties for the driver, schema and initial statement.
 * Connects when it is first used. Thread-safe.
 */
final class OwnPool extends HikariDataSource {

    private OwnPool(HikariDataSource application, int connections) {
        application.copyStateTo(this);
        setPoolName((application.getPoolName() == null ? "HikariPool" : application.getPoolName()) + "-seriatim");
        setMaximumPoolSize(connections);
        setMinimumIdle(0);
        // The store keeps its connections in use.
        setLeakDetectionThreshold(0);
    }

    /** Returns connections like those of the application's pool; null if that is not HikariCP. */
    static @Nullable SequenceConnections like(DataSource application, int connections) {
        HikariDataSource pool =
                DataSourceUnwrapper.unwrap(application, HikariConfigMXBean.class, HikariDataSource.class);
        if (pool == null) {
            return null;
        }
        OwnPool own = new OwnPool(pool, connections);
        return new SequenceConnections(own, connections, connections, own::close);
    }
}
