// SPDX-License-Identifier: Apache-2.0

/** The auto-configuration for Spring Boot 3.5 and 4. */
package dev.seriatim.spring.boot;
