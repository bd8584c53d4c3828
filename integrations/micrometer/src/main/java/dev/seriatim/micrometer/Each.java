// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.micrometer;

import java.util.function.Consumer;

/** Updates every registry, even if one throws, so that the others and the sequences are not affected. */
final class Each {

    private static final System.Logger LOG = System.getLogger("dev.seriatim.micrometer");

    private Each() {}

    /** Runs an action for each element, and logs its exceptions. */
    static <T> void of(Iterable<T> elements, Consumer<? super T> action) {
        for (T element : elements) {
            try {
                action.accept(element);
            } catch (Throwable e) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "a meter registry threw; its meters of a sequence may be incomplete",
                        e);
            }
        }
    }
}
