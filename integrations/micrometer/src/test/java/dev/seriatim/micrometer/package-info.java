// SPDX-License-Identifier: Apache-2.0
@org.jspecify.annotations.NullMarked
package dev.seriatim.micrometer;
