// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that the user names by URL is used like one of ours, and left unchanged. */
class UserServerTest {
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void a_database_comes_into_being_and_can_go_again(Engine engine) throws SQLException {
        Database server = engine.freshDatabase();
        String name = Databases.freshName();

        Database created = Databases.createOnUsers(server.url(), name).get(0);
        try (var connection = created.connect()) {
            assertThat(connection.getCatalog()).isEqualTo(name);
            Databases.drop(name, server);
        }

        assertThatThrownBy(created::connect).isInstanceOf(SQLException.class);
    }
}
