// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import java.util.Map;

/** Knows the environment of a command line; implemented by the root command. */
@FunctionalInterface
public interface StoreEnvironment {

    /** Returns the environment variables by name. */
    Map<String, String> env();
}
