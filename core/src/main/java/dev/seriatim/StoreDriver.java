// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.util.HashSet;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * Opens stores of one kind from a URL. Found through {@link ServiceLoader}.
 *
 * <p>Implementations are thread-safe and have a public constructor without parameters.
 */
public interface StoreDriver {

    /** The beginning of the URLs it opens, such as {@code sqlite:}; never empty. */
    String prefix();

    /**
     * Opens the store.
     *
     * @param url begins with {@link #prefix()}
     * @throws SequenceException.Misconfigured when the URL is wrong, or the database is not one this driver knows or its
     *     settings lose acknowledged commits
     * @throws SequenceException.Unavailable when the store cannot be reached
     */
    OpenStore open(StoreUrl url);

    /**
     * Opens the store that a URL names, by the driver that knows it.
     *
     * @throws SequenceException.Misconfigured when no driver on the class path knows the URL
     * @throws SequenceException as {@link #open(StoreUrl)}
     */
    static OpenStore open(String url) {
        Set<String> known = new HashSet<>();
        for (StoreDriver driver : ServiceLoader.load(StoreDriver.class, StoreDriver.class.getClassLoader())) {
            if (url.startsWith(driver.prefix())) {
                return driver.open(StoreUrl.parse(url));
            }
            known.add(driver.prefix());
        }
        throw NoStore.opens(url, known);
    }
}
