// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages.circle.other;

import dev.seriatim.pages.circle.Left;
import org.jspecify.annotations.Nullable;

/** Names a type that names this one: what {@code HouseTest} must find. */
public record Right(@Nullable Left left) {}
