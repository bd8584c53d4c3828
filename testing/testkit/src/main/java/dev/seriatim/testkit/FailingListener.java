// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import dev.seriatim.SequenceListener;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A listener that throws an error on the first event of each kind, as if it were compiled against another version. It
 * throws only on the first, because each error is logged. Thread-safe.
 */
final class FailingListener {

    private static final class Fault extends Error {
        private static final long serialVersionUID = 1L;

        Fault(String event) {
            super("a deliberate failure of the listener on " + event, null, false, false);
        }
    }

    private FailingListener() {}

    static SequenceListener create() {
        Set<String> thrown = ConcurrentHashMap.newKeySet();
        return (SequenceListener) Proxy.newProxyInstance(
                SequenceListener.class.getClassLoader(),
                new Class<?>[] {SequenceListener.class},
                (self, event, arguments) -> {
                    if (thrown.add(event.getName())) {
                        throw new Fault(event.getName());
                    }
                    return null;
                });
    }
}
