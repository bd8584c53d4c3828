// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.couchbase.client.java.Cluster;
import dev.seriatim.Sequences;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.servers.Engine;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Of a data source and a Couchbase bucket. Isolated, since whole applications set up logging anew. */
@Timeout(60)
@Isolated
class PrecedenceTest {

    @Test
    void a_data_source_takes_precedence_and_a_warning_says_so() {
        List<String> warnings = warnings(() -> Boot.pooled(Engine.H2.freshDatabase())
                .withBean(Cluster.class, CouchbaseSequencesTest::untouched)
                .withPropertyValues("seriatim.couchbase.bucket=both")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Sequences.class)
                        .hasSingleBean(JdbcSequences.class)));
        assertThat(warnings)
                .filteredOn(line -> line.contains("seriatim.couchbase.bucket=both"))
                .singleElement()
                .asString()
                .startsWith("the sequences are in the database of data source 'dataSource'");
        Boot.pooled(Engine.H2.freshDatabase())
                .withPropertyValues("seriatim.couchbase.bucket=both", "seriatim.data-source=dataSource")
                .run(context -> assertThat(Boot.lines(Objects.requireNonNull(context.getStartupFailure())))
                        .isEqualTo("Seriatim: seriatim.data-source and seriatim.couchbase.bucket both say where the"
                                + " sequences are.\nRemove one of them."));
    }

    private static List<String> warnings(Runnable run) {
        List<String> warnings = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                warnings.add(new SimpleFormatter().formatMessage(line));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("dev.seriatim.spring");
        Level before = logger.getLevel();
        logger.setLevel(Level.WARNING);
        logger.addHandler(handler);
        try {
            run.run();
        } finally {
            logger.removeHandler(handler);
            logger.setLevel(before);
        }
        return warnings;
    }
}
