// SPDX-License-Identifier: Apache-2.0

/** Sequences in Spring and Spring Boot applications. */
package dev.seriatim.spring;
