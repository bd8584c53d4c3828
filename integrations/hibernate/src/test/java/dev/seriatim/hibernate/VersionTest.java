// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import org.hibernate.Version;
import org.junit.jupiter.api.Test;

/** The build runs the suite once for each version; this shows that it does. */
class VersionTest {

    @Test
    void the_suite_runs_on_the_version_that_the_build_names() {
        assertThat(Version.getVersionString()).startsWith(System.getProperty("seriatim.test.hibernate", "6.6") + ".");
    }
}
