// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/** Reads the version from the jar. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        @Nullable String inJar = Version.class.getPackage().getImplementationVersion();
        return new String[] {
            "seriatim " + (inJar == null ? "(not from a jar)" : inJar) + ", Java " + System.getProperty("java.version")
        };
    }
}
