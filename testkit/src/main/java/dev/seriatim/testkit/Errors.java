// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import java.util.List;

/** What may be thrown that nobody reckons with. */
final class Errors {

    /** As a thread is made to end that somebody stops. */
    private static final class Stopped extends Error {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("stopped, for the test");
        }
    }

    private Errors() {}

    /** New ones, of each kind one. */
    static List<Error> all() {
        return List.of(
                new OutOfMemoryError("for the test"),
                new StackOverflowError("for the test"),
                new NoClassDefFoundError("for/the/Test"),
                new AssertionError("for the test"),
                new Stopped());
    }

    /** One of them, by the name of a case: another for another, so that those of several cases are of each kind. */
    static Error one(String name) {
        return all().get(Math.floorMod(name.hashCode(), all().size()));
    }

    /** Throws it, whatever it is. */
    static RuntimeException thrown(Throwable throwable) {
        return Errors.<RuntimeException>sneak(throwable);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X extends Throwable> X sneak(Throwable throwable) throws X {
        throw (X) throwable;
    }
}
