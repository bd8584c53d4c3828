// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Sequences in Spring and Spring Boot applications. */
@NullMarked
module dev.seriatim.spring {
    requires transitive dev.seriatim.jdbc;
    requires static org.jspecify;
}
