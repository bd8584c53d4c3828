// SPDX-License-Identifier: Apache-2.0
/** Real database servers for this project's own tests: started when first asked for, gone when the JVM ends. */
@NullMarked
package dev.seriatim.servers;

import org.jspecify.annotations.NullMarked;
