// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import java.util.List;

/** Errors that no code expects. */
final class Errors {

    /** Like the error that ends a thread when it is stopped. */
    private static final class Stopped extends Error {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("stopped, for the test");
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
                new Stopped());
    }

    /** Returns an error chosen by the name of a case, so that several cases together cover each kind. */
    static Error one(String name) {
        return all().get(Math.floorMod(name.hashCode(), all().size()));
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
