// SPDX-License-Identifier: Apache-2.0

/**
 * Numbers in Spring's transactions: {@link dev.seriatim.spring.GaplessNumbers} are drawn in the transaction of the
 * thread, {@link dev.seriatim.spring.GroupedTransactions} let many callers share one.
 */
package dev.seriatim.spring;
