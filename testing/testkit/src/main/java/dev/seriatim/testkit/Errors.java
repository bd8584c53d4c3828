// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import dev.seriatim.SequenceListener;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Errors that no code expects. */
final class Errors {

    /** Like the error that ends a thread when it is stopped. Without a stack trace, because each one is logged. */
    private static final class Stopped extends Error {
        private static final long serialVersionUID = 1L;

        Stopped(String message) {
            super(message, null, false, false);
        }
    }

    private Errors() {}

    /** Returns new errors, one of each kind. */
    static List<Error> all() {
        return List.of(
                new OutOfMemoryError("for the test"),
                new StackOverflowError("for the test"),
                new NoClassDefFoundError("for/the/Test"),
                new AssertionError("for the test"),
                new Stopped("for the test"));
    }

    /** Returns an error chosen by the name of a case, so that several cases together cover each kind. */
    static Error one(String name) {
        return all().get(Math.floorMod(name.hashCode(), all().size()));
    }

    /** Returns a listener that throws an error on the first event of each kind, as if it were compiled against another version. */
    static SequenceListener listener() {
        Set<String> thrown = ConcurrentHashMap.newKeySet();
        return (SequenceListener) Proxy.newProxyInstance(
                SequenceListener.class.getClassLoader(),
                new Class<?>[] {SequenceListener.class},
                (self, event, arguments) -> {
                    if (thrown.add(event.getName())) {
                        throw new Stopped("a deliberate failure of the listener on " + event.getName());
                    }
                    return null;
                });
    }

    /** Throws any throwable, even a checked one. */
    static RuntimeException thrown(Throwable throwable) {
        return Errors.<RuntimeException>sneak(throwable);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X extends Throwable> X sneak(Throwable throwable) throws X {
        throw (X) throwable;
    }
}
