// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.jdbc.JdbcUrl;
import dev.seriatim.store.OpenStore;
import javax.sql.DataSource;

/** Opens databases by their {@code jdbc:} URLs, over a connection pool. */
public final class ConnectionPool {

    private ConnectionPool() {}

    static OpenStore open(String url) {
        return JdbcUrl.parse(url).open(ConnectionPool::of);
    }

    /** Returns a connection pool for a database; the caller closes it. */
    public static DataSource of(JdbcUrl url) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("seriatim");
        config.setJdbcUrl(url.driverUrl());
        config.setMaximumPoolSize(url.poolSize());
        config.setMinimumIdle(1); // a command that draws one number needs one connection
        config.setConnectionTimeout(Math.max(250, url.patience().toMillis()));
        url.loginLimit().forEach(config::addDataSourceProperty);
        return new HikariDataSource(config);
    }
}
