// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException;
import java.util.HashSet;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * Opens stores of one kind from a URL. Found through {@link ServiceLoader}. Implementations are thread-safe and have a
 * public no-argument constructor.
 */
public interface StoreDriver {

    /** Returns the prefix of the URLs it opens, such as {@code sqlite:}; never empty. */
    String prefix();

    /**
     * Opens the store.
     *
     * @param url begins with {@link #prefix()}
     * @throws SequenceException.Misconfigured if the URL is invalid, the database is not supported by this driver, or
     *     its settings can lose acknowledged commits
     * @throws SequenceException.Unavailable if the store cannot be reached
     */
    OpenStore open(StoreUrl url);

    /**
     * Opens the store that a URL names, with the driver for its prefix.
     *
     * @throws SequenceException.Misconfigured if no driver on the class path supports the URL
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
        return NoStore.driver(url, known).open(StoreUrl.parse(url));
    }
}
