// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Unavailable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A data source is closed if it is closeable, and a failure is reported. */
class ClosingSourcesTest {

    @Test
    void what_can_be_closed_is() {
        AtomicInteger closed = new AtomicInteger();
        AutoCloseable source = closed::incrementAndGet;
        JdbcUrl.closing(source).run();
        JdbcUrl.closing("nothing to close").run();
        assertThat(closed).hasValue(1);
    }

    @Test
    void an_exception_is_told_with_its_cause() {
        AutoCloseable source = () -> {
            throw new Exception("it is stuck");
        };
        assertThatThrownBy(() -> JdbcUrl.closing(source).run())
                .isInstanceOf(Unavailable.class)
                .hasMessage("the data source could not be closed (it is stuck)");
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void an_exception_that_needs_no_telling_stays_as_it_is() {
        RuntimeException own = new IllegalStateException("it is stuck");
        AutoCloseable source = () -> {
            throw own;
        };
        assertThatThrownBy(() -> JdbcUrl.closing(source).run()).isSameAs(own);
    }

    @Test
    void who_is_interrupted_meanwhile_stays_interrupted() {
        AutoCloseable source = () -> {
            throw new InterruptedException();
        };
        assertThatThrownBy(() -> JdbcUrl.closing(source).run())
                .isInstanceOf(Unavailable.class)
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
