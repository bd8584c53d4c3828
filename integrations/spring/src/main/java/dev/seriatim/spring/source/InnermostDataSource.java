// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.source;

import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Looks below Spring's wrappers, such as a {@code LazyConnectionDataSourceProxy}. */
public final class InnermostDataSource {

    private InnermostDataSource() {}

    /** Returns the data source below all wrappers. */
    public static DataSource of(DataSource source) {
        DataSource inner = source;
        while (inner instanceof DelegatingDataSource wrapper && wrapper.getTargetDataSource() != null) {
            inner = Objects.requireNonNull(wrapper.getTargetDataSource());
        }
        return inner;
    }
}
