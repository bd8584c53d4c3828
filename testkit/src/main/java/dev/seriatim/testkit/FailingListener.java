// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import dev.seriatim.Block;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceListener;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A listener that throws an error the first time that it is told something of a kind, as one does that was compiled against
 * another version. Only the first time, since each is logged. Thread-safe.
 */
final class FailingListener implements SequenceListener {

    private static final class Fault extends Error {
        private static final long serialVersionUID = 1L;

        Fault(String told) {
            super("the listener's own fault when it is told " + told + ", as this test wants it", null, false, false);
        }
    }

    private final Set<String> thrown = ConcurrentHashMap.newKeySet();

    private void fail(String told) {
        if (thrown.add(told)) {
            throw new Fault(told);
        }
    }

    @Override
    public void reserved(String sequence, Block block, Duration took) {
        fail("reserved");
    }

    @Override
    public void waited(String sequence, Duration howLong) {
        fail("waited");
    }

    @Override
    public void failed(String sequence, SequenceException failure) {
        fail("failed");
    }

    @Override
    public void lost(String sequence, Block values) {
        fail("lost");
    }

    @Override
    public void outcomeUnknown(String sequence, long count) {
        fail("outcomeUnknown");
    }

    @Override
    public void givenBack(String sequence, Block values) {
        fail("givenBack");
    }

    @Override
    public void nearlyExhausted(String sequence, BigInteger valuesLeft) {
        fail("nearlyExhausted");
    }
}
