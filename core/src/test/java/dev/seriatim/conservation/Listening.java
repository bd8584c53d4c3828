// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import dev.seriatim.SequenceListener;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/** A listener that keeps the ledger, and occasionally fails on any event. */
public final class Listening {

    /** Without a stack trace, because each one is logged. */
    private static final class OwnFault extends Error {
        private static final long serialVersionUID = 1L;

        OwnFault() {
            super("a deliberate failure of the listener", null, false, false);
        }
    }

    private Listening() {}

    static SequenceListener to(Ledger ledger, RandomChoices chance) {
        AtomicInteger faults = new AtomicInteger(chance.oneIn(20) ? 1 : 0); // few, because each one is logged
        return (SequenceListener) Proxy.newProxyInstance(
                SequenceListener.class.getClassLoader(),
                new Class<?>[] {SequenceListener.class},
                (self, told, arguments) -> {
                    Object answer = told.invoke(ledger, arguments);
                    if (chance.strikes() && faults.getAndDecrement() > 0) {
                        throw new OwnFault();
                    }
                    return answer;
                });
    }
}
