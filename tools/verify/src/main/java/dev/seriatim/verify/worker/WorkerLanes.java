// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import java.util.List;

/** The lanes of one order, and what they draw with. */
record WorkerLanes(LaneOrder order, LaneDraws draws, List<LaneThread> threads, ReservedNumbers numbers) {

    void start() {
        threads.forEach(Thread::start);
    }

    void stopSoon() {
        threads.forEach(LaneThread::stopSoon);
    }

    /** Waits for the threads and closes the sequence. */
    void close() throws InterruptedException {
        for (LaneThread thread : threads) {
            thread.join();
        }
        draws.close();
    }

    WorkerAccounts.Account account() {
        return numbers.with(
                threads.stream().mapToLong(thread -> thread.log().dealt()).sum());
    }
}
