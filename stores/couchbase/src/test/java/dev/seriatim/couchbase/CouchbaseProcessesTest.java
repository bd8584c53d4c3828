// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.testkit.History;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Several processes with several threads each draw single values from one sequence; on a bare counter, a plain client
 * does so too.
 */
@Tag("long")
class CouchbaseProcessesTest {

    private static final int PROCESSES = 3;
    private static final int DRAWS = 400;

    @ParameterizedTest
    @CsvSource({"sequence, ASYNC", "sequence, COMBINED", "counter, ASYNC", "counter, COMBINED"})
    void get_every_value_once_in_order_and_without_gaps(String kind, String mode) throws IOException {
        String prefix = TestServer.freshPrefix();
        String url = TestServer.url(TestServer.PATIENT + "&kind=" + kind + "&prefix=" + prefix);
        History history = new History();
        int bare = kind.equals("counter") ? DRAWS : 0;
        try (OpenStore store = StoreDriver.open(url);
                OpenBucket bucket = OpenBucket.connect()) {
            store.create(SequenceDefinition.of("s"));
            List<Child> children = new ArrayList<>();
            try {
                for (int i = 0; i < PROCESSES; i++) {
                    children.add(Child.of(CouchbaseProcess.class, url, mode, Integer.toString(DRAWS)));
                }
                for (Child child : children) {
                    assertThat(child.line()).isEqualTo("ready");
                }
                for (Child child : children) {
                    child.go();
                }
                for (int i = 0; i < bare; i++) {
                    long began = System.nanoTime();
                    long value = bucket.increment(prefix + "s");
                    history.add(began, System.nanoTime(), new Block(value, 1, 1));
                }
                for (Child child : children) {
                    collect(child, history);
                }
            } finally {
                children.forEach(Child::close);
            }
            long all = (long) PROCESSES * DRAWS + bare;
            assertThat(history.size()).isEqualTo(all);
            assertThat(history.duplicates()).isZero();
            assertThat(history.orderViolations(true)).isZero();
            assertThat(history.largest()).isEqualTo(all);
            assertThat(store.describe("s").nextValue()).isEqualTo(all + 1);
        }
    }

    private static void collect(Child child, History history) throws IOException {
        for (String line = child.line(); !line.equals("done"); line = child.line()) {
            String[] draw = line.split(" ", -1);
            history.add(Long.parseLong(draw[0]), Long.parseLong(draw[1]), new Block(Long.parseLong(draw[2]), 1, 1));
        }
    }
}
