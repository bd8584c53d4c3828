// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

/** What the lanes of one order draw with. Thread-safe. */
public interface LaneDraws extends AutoCloseable {

    /**
     * Takes one turn: usually one draw.
     *
     * @param log takes the numbers; a turn that throws is reported as failed
     * @throws Exception if nothing could be drawn
     */
    void turn(LaneLog log) throws Exception;

    /** Closes the sequence, once no lane takes a turn. */
    @Override
    void close();
}
