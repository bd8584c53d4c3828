// SPDX-License-Identifier: Apache-2.0

/** Identifiers of MyBatis-Plus entities. */
package dev.seriatim.mybatisplus;
