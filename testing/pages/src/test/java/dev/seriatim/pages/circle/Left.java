// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages.circle;

import dev.seriatim.pages.circle.other.Right;

/** Names a type that names this one: what {@code HouseTest} must find. */
public record Left(Right right) {}
