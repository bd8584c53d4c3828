// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** The contract suites that every store must pass. */
@NullMarked
module dev.seriatim.testkit {
    requires transitive dev.seriatim;
    requires transitive org.junit.jupiter.api;
    requires org.assertj.core;
    requires static org.jspecify;

    exports dev.seriatim.testkit;
}
