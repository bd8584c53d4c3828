// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.docs.circle;

import dev.seriatim.docs.circle.other.Right;

/** Names a type that names this one: what {@code HouseTest} must find. */
public record Left(Right right) {}
