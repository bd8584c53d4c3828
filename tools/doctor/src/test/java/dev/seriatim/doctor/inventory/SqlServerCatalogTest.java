// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import dev.seriatim.doctor.rule.CounterCommands;
import dev.seriatim.doctor.rule.Diagnosis;
import dev.seriatim.doctor.rule.Diagnosis.Forecast;
import dev.seriatim.servers.Engine;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is made of the rows that SQL Server's catalog returns to its documentation. Another database returns them here. */
class SqlServerCatalogTest {

    private static final InspectionLimits LIMITS =
            new InspectionLimits(Duration.ofSeconds(5), Duration.ofSeconds(30), false);

    /** A schema, a name, a column, start, step, low, high, latest, cycles. */
    private static final String ROWS = """
            SELECT 'dbo', 'orders', 'id', '1', '1', NULL, '2147483647', '2147483000', FALSE
            UNION ALL SELECT 'dbo', 'fresh', 'id', '7', '1', NULL, '9223372036854775807', NULL, FALSE
            UNION ALL SELECT 'dbo', 'tiny', 'id', '1', '1', '0', '255', '255', FALSE
            UNION ALL SELECT 'dbo', 'invoice', NULL, '1', '1', '1', '1000', '1000', FALSE
            UNION ALL SELECT 'dbo', 'down', NULL, '-1', '-1', '-1000', '-1', '-10', TRUE""";

    private static Inventory read() throws SQLException {
        try (Connection real = Engine.SQLITE.freshDatabase().connect()) {
            Connection other = (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (self, method, arguments) -> method.getName().equals("prepareStatement")
                            ? real.prepareStatement(ROWS)
                            : method.invoke(real, arguments));
            SqlServerCatalog catalog = new SqlServerCatalog(other, LIMITS);
            List<NumberSource> sources = catalog.sources();
            return new Inventory(
                    catalog.product(),
                    "d",
                    sources,
                    catalog.met(sources),
                    catalog.tables,
                    catalog.findings,
                    catalog.skips.lines(),
                    Optional.of(catalog.remedies()));
        }
    }

    @Test
    void an_identity_column_and_a_sequence_that_end_are_found() throws SQLException {
        Diagnosis diagnosis = Diagnosis.of(
                read(),
                new CounterCommands(""),
                Forecast.NONE,
                finding -> true,
                Map.of(),
                Instant.EPOCH,
                Duration.ZERO);
        assertThat(diagnosis.findings())
                .extracting(finding -> finding.fault() + " " + finding.subject())
                .containsExactlyInAnyOrder(
                        Fault.RUNNING_OUT + " dbo.orders.id",
                        Fault.EXHAUSTED + " dbo.tiny.id",
                        Fault.EXHAUSTED + " dbo.invoice");
        assertThat(diagnosis.findings())
                .filteredOn(finding -> finding.subject().equals("dbo.orders.id"))
                .extracting(finding -> finding.remedy().orElseThrow().text())
                .containsExactly("give the column a wider type, up to DECIMAL(38)");
    }

    @Test
    void the_next_number_follows_the_latest_or_is_the_first() throws SQLException {
        assertThat(read().sources())
                .extracting(source -> source.name().name() + " " + source.next().orElseThrow() + " " + source.cycle())
                .containsExactly(
                        "orders 2147483001 false",
                        "fresh 7 false",
                        "tiny 256 false",
                        "invoice 1001 false",
                        "down -11 true");
        assertThat(read().skipped()).singleElement().asString().contains("rows are not read");
    }
}
