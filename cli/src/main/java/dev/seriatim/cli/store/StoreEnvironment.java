// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.store;

import java.util.Map;

/** The environment that a command line runs in, as its root command knows it. */
@FunctionalInterface
public interface StoreEnvironment {

    /** The environment variables, by name. */
    Map<String, String> env();
}
