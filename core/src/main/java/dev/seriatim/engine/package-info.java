// SPDX-License-Identifier: Apache-2.0
/** How sequences run over a store. Its door is {@link dev.seriatim.engine.StoreSequences}; its rooms are not exported. */
@NullMarked
package dev.seriatim.engine;

import org.jspecify.annotations.NullMarked;
