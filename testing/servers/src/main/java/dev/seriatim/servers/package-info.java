// SPDX-License-Identifier: Apache-2.0
/** Real database servers for this project's own tests: started on first use, and ended with the JVM. */
@NullMarked
package dev.seriatim.servers;

import org.jspecify.annotations.NullMarked;
