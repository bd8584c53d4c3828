// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

/** A database in which one transaction at a time writes; every other write waits until it ends. */
public interface OneWriter {}
