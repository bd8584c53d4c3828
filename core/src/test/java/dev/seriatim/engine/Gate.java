// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Holds the reservations of a {@link HookedStore} until it opens. Thread-safe. */
final class Gate implements HookedStore.Hook {

    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    @Override
    public void before(String name, long count) throws InterruptedException {
        arrived.countDown();
        open.await();
    }

    /** Waits until a reservation has arrived. */
    void awaitFirst() throws InterruptedException {
        assertThat(arrived.await(5, TimeUnit.SECONDS)).isTrue();
    }

    /** Lets all reservations through from now on. */
    void open() {
        open.countDown();
    }
}
