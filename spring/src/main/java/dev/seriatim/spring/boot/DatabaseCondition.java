// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

/** There is a data source, or a property says that there should be. */
final class DatabaseCondition extends AnyNestedCondition {

    DatabaseCondition() {
        super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnBean(DataSource.class)
    static final class OfApplication {}

    @ConditionalOnProperty("seriatim.data-source")
    static final class OfName {}

    @ConditionalOnProperty("seriatim.url")
    static final class OfUrl {}
}
