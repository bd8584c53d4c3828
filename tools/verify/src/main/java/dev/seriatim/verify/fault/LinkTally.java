// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

/**
 * What has happened on a link so far. Immutable.
 *
 * @param opened connections that clients opened
 * @param open those of them that are open now
 * @param refused connections that the link accepted while the target could not be reached, and reset
 * @param cut connections that the link reset on purpose
 * @param answersLost answers of the server that the client did not get
 * @param commitAnswersLost those of them that said that a commit had succeeded; 0 where the link cannot tell
 */
public record LinkTally(long opened, int open, long refused, long cut, long answersLost, long commitAnswersLost) {}
