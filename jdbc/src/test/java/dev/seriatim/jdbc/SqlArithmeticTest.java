// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static dev.seriatim.jdbc.SqlSpeaker.Refusal.USED_UP;
import static dev.seriatim.jdbc.SqlSpeaker.Refusal.WRONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Exhausted;
import dev.seriatim.conservation.TestProperties;
import dev.seriatim.store.SequenceState;
import java.math.BigInteger;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The functions deal the same values as {@link SequenceState}, and leave the row in the same state. */
@ParameterizedClass
@EnumSource
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
class SqlArithmeticTest {

    private static final long SEED = 20_260_717;
    private static final int DEFINITIONS = TestProperties.ofThisJvm().isSoak() ? 4000 : 150;
    private static final int STEPS = 14;

    private final SqlSpeaker speaker;
    private final Random random = new Random(SEED);
    private SqlSession sql;

    SqlArithmeticTest(SqlSpeaker speaker) {
        this.speaker = speaker.installed();
    }

    @BeforeEach
    void open() throws SQLException {
        var database = speaker.freshDatabase();
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            store.install();
        }
        sql = SqlSession.on(database);
        sql.connection().setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        sql.connection().rollback();
        sql.close();
    }

    @Test
    void any_definition_anywhere_in_64_bits() throws SQLException {
        int exhausted = 0;
        int newRounds = 0;
        for (int i = 0; i < DEFINITIONS; i++) {
            SequenceDefinition definition = definition("s" + i);
            sql.run(speaker.create(definition));
            long epoch = sql.number("SELECT epoch FROM seriatim_sequence WHERE name = 's" + i + "'");
            SequenceState model = SequenceState.fresh(definition, epoch);
            for (int step = 0; step < STEPS; step++) {
                SequenceState before = model;
                model = random.nextInt(5) == 0 ? set(model) : next(model);
                exhausted += model.equals(before) ? 1 : 0;
                newRounds += model.epoch() != before.epoch() ? 1 : 0;
                check(model);
            }
        }
        assertThat(exhausted).as("refusals were among it").isGreaterThan(DEFINITIONS / 10);
        assertThat(newRounds).as("new rounds and restarts were among it").isGreaterThan(DEFINITIONS / 10);
    }

    private SequenceState next(SequenceState model) throws SQLException {
        String name = model.definition().name();
        try {
            SequenceState.Taken taken = model.take(1);
            assertThat(sql.nextVal(name))
                    .as("%s", model)
                    .isEqualTo(taken.reservation().block().first());
            return taken.after();
        } catch (Exhausted e) {
            undone(() -> speaker.refuses(USED_UP, () -> sql.nextVal(name)));
            return model;
        }
    }

    private SequenceState set(SequenceState model) throws SQLException {
        SequenceDefinition d = model.definition();
        long value = value(d);
        @Nullable SequenceState after = after(model, value);
        if (after == null) {
            undone(() -> speaker.refuses(WRONG, () -> sql.setVal(d.name(), value)));
            return model;
        }
        assertThat(sql.setVal(d.name(), value)).isEqualTo(value);
        return after;
    }

    /** Returns the state after a given last value; null if that is impossible. */
    private static @Nullable SequenceState after(SequenceState model, long value) {
        SequenceDefinition d = model.definition();
        BigInteger next = BigInteger.valueOf(value).add(BigInteger.valueOf(d.increment()));
        if (inside(d, next)) {
            return new SequenceState(d, next.longValueExact(), false, model.epoch() + 1);
        }
        return inside(d, BigInteger.valueOf(value)) ? new SequenceState(d, value, true, model.epoch() + 1) : null;
    }

    private void check(SequenceState model) throws SQLException {
        assertThat(sql.texts("SELECT CONCAT(next_value, ' ', used_up, ' ', epoch) FROM seriatim_sequence WHERE name = '"
                        + model.definition().name() + "'"))
                .as("%s", model)
                .containsExactly(model.nextValue() + (model.usedUp() ? " 1 " : " 0 ") + model.epoch());
        assertThat(sql.lastVal(model.definition().name())).as("%s", model).isEqualTo(last(model));
    }

    private static @Nullable Long last(SequenceState model) {
        SequenceDefinition d = model.definition();
        if (model.usedUp()) {
            return model.nextValue();
        }
        BigInteger last = BigInteger.valueOf(model.nextValue()).subtract(BigInteger.valueOf(d.increment()));
        return model.nextValue() == d.start() || !inside(d, last) ? null : last.longValueExact();
    }

    private static boolean inside(SequenceDefinition d, BigInteger value) {
        return value.compareTo(BigInteger.valueOf(d.min())) >= 0 && value.compareTo(BigInteger.valueOf(d.max())) <= 0;
    }

    private SequenceDefinition definition(String name) {
        long a = edge();
        long b = random.nextInt(3) == 0 ? edge() : near(a);
        long min = Math.min(a, b);
        long max = Math.max(a, b);
        long increment = increment();
        long start = random.nextBoolean() ? (increment > 0 ? min : max) : between(min, max);
        return new SequenceDefinition(name, start, increment, min, max, random.nextBoolean(), 1 + random.nextInt(9));
    }

    private long edge() {
        return List.of(Long.MIN_VALUE, Long.MAX_VALUE, -1L, 0L, 1L, near(0), random.nextLong())
                .get(random.nextInt(7));
    }

    /** Returns a value up to a few steps away, on the side that has room. */
    private long near(long value) {
        long away = random.nextInt(20);
        return value > 0 ? value - away : value + away;
    }

    private long increment() {
        long any = List.of(1L, 1L, 2L, 7L, (long) Integer.MAX_VALUE, Long.MAX_VALUE, random.nextLong() | 1)
                .get(random.nextInt(7));
        return random.nextInt(20) == 0 ? Long.MIN_VALUE : random.nextBoolean() ? any : -any;
    }

    private long value(SequenceDefinition d) {
        long one = random.nextBoolean() ? d.min() : d.max();
        return random.nextInt(4) == 0
                ? random.nextLong()
                : random.nextBoolean() ? near(one) : between(d.min(), d.max());
    }

    private long between(long min, long max) {
        return max == Long.MAX_VALUE
                ? min + (long) (random.nextDouble() * Math.min((double) max - min, 1e18))
                : random.nextLong(min, max + 1);
    }

    /** A refusal aborts PostgreSQL's transaction unless it is rolled back to an earlier savepoint. */
    private void undone(Runnable refusal) throws SQLException {
        Savepoint before = sql.connection().setSavepoint();
        refusal.run();
        sql.connection().rollback(before);
    }
}
