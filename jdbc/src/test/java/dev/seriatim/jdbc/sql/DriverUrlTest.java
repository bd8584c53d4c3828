// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DriverUrlTest {

    @Test
    void mariadbs_driver_prepares_in_the_server_unless_the_url_says_otherwise() {
        Map<?, ?> prepares = Map.of("useServerPrepStmts", "true");
        assertThat(new DriverUrl("jdbc:mariadb://h/db?user=u").preparing()).isEqualTo(prepares);
        assertThat(new DriverUrl("jdbc:mysql://h/db?permitMysqlScheme").preparing())
                .isEqualTo(prepares);
        assertThat(new DriverUrl("jdbc:mariadb://h/db?useServerPrepStmts=false").preparing())
                .isEmpty();
        for (String off :
                List.of("useserverprepstmts=false", "USESERVERPREPSTMTS=false", "a=b&useServerPrepstmts=false")) {
            assertThat(new DriverUrl("jdbc:mariadb://h/db?" + off).preparing())
                    .as(off)
                    .isEmpty();
        }
        assertThat(new DriverUrl("jdbc:mysql://h/db").preparing()).isEmpty();
        assertThat(new DriverUrl("jdbc:postgresql://h/db").preparing()).isEmpty();
    }
}
