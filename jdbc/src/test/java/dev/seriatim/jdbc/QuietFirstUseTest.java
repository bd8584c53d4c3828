// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.servers.Engine;
import java.lang.reflect.InvocationTargetException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The drivers of MariaDB and MySQL log a warning for every failed statement: a first use must log none. */
class QuietFirstUseTest {

    private final List<SQLException> failed = new ArrayList<>();
    private int prepared;

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void no_statement_fails_on_a_first_use(Engine engine) throws SQLException {
        JdbcStore store = JdbcStore.open(watched(engine.freshDatabase().dataSource()));
        assertThat(store.list()).isEmpty();
        assertThatThrownBy(() -> store.describe("s")).isInstanceOf(NotFound.class);
        store.create(SequenceDefinition.of("s"));
        assertThat(store.reserve("s", 1).block().first()).isEqualTo(1);
        assertThat(store.list()).hasSize(1);
        assertThat(store.poolState("s")).isEmpty();
        assertThat(failed).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = "MARIADB")
    void the_table_is_looked_for_until_it_is_found_and_never_again(Engine engine) throws SQLException {
        JdbcStore store = JdbcStore.open(watched(engine.freshDatabase().dataSource()));
        store.create(SequenceDefinition.of("s"));
        store.describe("s");
        store.reserve("s", 1);
        prepared = 0;
        store.describe("s");
        store.reserve("s", 1);
        assertThat(prepared).isEqualTo(2);
    }

    private DataSource watched(DataSource source) {
        return watched(DataSource.class, source);
    }

    private <T> T watched(Class<T> type, T target) {
        return DriverProxy.of(type, (self, method, arguments) -> {
            try {
                return watchedResult(method.invoke(target, arguments));
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof SQLException failure && target instanceof Statement) {
                    failed.add(failure);
                }
                throw e;
            }
        });
    }

    private @Nullable Object watchedResult(@Nullable Object result) {
        if (result instanceof Connection connection) {
            return watched(Connection.class, connection);
        }
        if (result instanceof PreparedStatement statement) {
            prepared++;
            return watched(PreparedStatement.class, statement);
        }
        return result instanceof Statement statement ? watched(Statement.class, statement) : result;
    }
}
