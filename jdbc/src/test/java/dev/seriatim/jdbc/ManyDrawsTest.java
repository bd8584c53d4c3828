// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.conservation.TestProperties;
import dev.seriatim.conservation.TestProperties.Property;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.TransactionalSequence;
import java.sql.Connection;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The cost of many draws in one transaction: one at a time, and as one block. Prints the medians of {@code
 * -Dseriatim.many=100} transactions (default 5).
 */
@Timeout(120)
class ManyDrawsTest {

    private static final int DRAWS = 100;

    @FunctionalInterface
    private interface Work {
        void in(Connection transaction) throws Exception;
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void one_by_one_and_in_one_piece_leave_no_gap(Engine engine) throws Exception {
        int transactions = TestProperties.ofThisJvm().count(Property.MANY, 5);
        Database database = engine.freshDatabase();
        try (JdbcStore store = JdbcStore.open(database.dataSource());
                Connection connection = database.connect()) {
            store.create(SequenceDefinition.of("s"));
            TransactionalSequence<Connection> sequence = TransactionalSequence.of(store, "s");
            connection.setAutoCommit(false);
            Work oneByOne = transaction -> {
                try (Sequence within = sequence.within(transaction)) {
                    for (int i = 0; i < DRAWS; i++) {
                        within.next();
                    }
                }
            };
            Work inOnePiece = transaction -> sequence.next(transaction, DRAWS);
            long[] single = new long[transactions];
            long[] piece = new long[transactions];
            for (int i = 0; i < transactions; i++) {
                single[i] = nanos(connection, oneByOne);
                piece[i] = nanos(connection, inOnePiece);
            }
            System.out.printf(
                    "trial: %s, %d numbers in one transaction: one by one %.2f ms, in one piece %.2f ms%n",
                    engine.title(), DRAWS, median(single), median(piece));
            assertThat(store.describe("s").nextValue()).isEqualTo(1 + 2L * DRAWS * transactions);
        }
    }

    /** Excludes the commit, which both have in common. */
    private static long nanos(Connection connection, Work work) throws Exception {
        long began = System.nanoTime();
        work.in(connection);
        long took = System.nanoTime() - began;
        connection.commit();
        return took;
    }

    private static double median(long[] nanos) {
        Arrays.sort(nanos);
        return nanos[nanos.length / 2] / (double) Duration.ofMillis(1).toNanos();
    }
}
