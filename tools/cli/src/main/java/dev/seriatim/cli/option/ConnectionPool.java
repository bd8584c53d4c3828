// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.jdbc.JdbcUrl;
import javax.sql.DataSource;

/** Connection pools of databases. */
public final class ConnectionPool {

    private ConnectionPool() {}

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
