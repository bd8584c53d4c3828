// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pollers;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.dsl.Pollers;
import org.springframework.integration.jdbc.JdbcPollingChannelAdapter;
import org.springframework.jdbc.core.namedparam.BeanPropertySqlParameterSource;

/** Spring Integration's {@code JdbcPollingChannelAdapter}. */
@Tag("long")
class SpringIntegrationTest extends PollerContract {
    private static final int PAUSE_MILLIS = 10;
    private static final int MOST_ROWS = 500;

    @EnableIntegration
    private static final class Application {}

    private record Row(long number, long id) {}

    /** The reader's place, which the query names {@code :last}. */
    public static final class Place {
        private volatile long last;

        public long getLast() {
            return last;
        }
    }

    @Override
    Poller start(Source source, Polled polled) {
        Place place = new Place();
        JdbcPollingChannelAdapter adapter =
                new JdbcPollingChannelAdapter(source.database().dataSource(), source.query(":last"));
        adapter.setSelectSqlParameterSource(new BeanPropertySqlParameterSource(place));
        adapter.setRowMapper((rows, index) -> new Row(rows.getLong(source.column()), rows.getLong("id")));
        adapter.setMaxRows(MOST_ROWS);
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.register(Application.class);
        context.registerBean(
                "orders",
                IntegrationFlow.class,
                () -> IntegrationFlow.from(adapter, poller -> poller.poller(Pollers.fixedDelay(PAUSE_MILLIS)))
                        .handle(List.class, (rows, headers) -> {
                            for (Object each : rows) {
                                Row row = (Row) each;
                                polled.row(row.number(), row.id());
                                place.last = row.number();
                            }
                            return null;
                        })
                        .get());
        context.refresh();
        return new Poller() {
            @Override
            public void check() {}

            @Override
            public void close() {
                context.close();
            }
        };
    }
}
