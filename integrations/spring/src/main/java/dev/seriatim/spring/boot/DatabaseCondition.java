// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Conditional;

/** There is a data source and no bucket is named, or a property says that there should be a database. */
final class DatabaseCondition extends AnyNestedCondition {

    DatabaseCondition() {
        super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnBean(DataSource.class)
    @Conditional(NoBucket.class)
    static final class OfApplication {}

    @ConditionalOnProperty("seriatim.data-source")
    static final class OfName {}

    @ConditionalOnProperty("seriatim.url")
    static final class OfUrl {}

    static final class NoBucket extends NoneNestedConditions {

        NoBucket() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty("seriatim.couchbase.bucket")
        static final class Bucket {}
    }
}
