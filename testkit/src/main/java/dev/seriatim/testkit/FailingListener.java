// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import dev.seriatim.SequenceListener;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A listener that throws an error the first time that it is told something of a kind, as one does that was compiled against
 * another version. Only the first time, since each is logged. Thread-safe.
 */
final class FailingListener {

    private static final class Fault extends Error {
        private static final long serialVersionUID = 1L;

        Fault(String told) {
            super("the listener's own fault when it is told " + told + ", as this test wants it", null, false, false);
        }
    }

    private FailingListener() {}

    static SequenceListener create() {
        Set<String> thrown = ConcurrentHashMap.newKeySet();
        return (SequenceListener) Proxy.newProxyInstance(
                SequenceListener.class.getClassLoader(),
                new Class<?>[] {SequenceListener.class},
                (self, told, arguments) -> {
                    if (thrown.add(told.getName())) {
                        throw new Fault(told.getName());
                    }
                    return null;
                });
    }
}
