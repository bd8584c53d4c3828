// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

/**
 * The ports of one node.
 *
 * @param sql for clients
 * @param group for the messages of the cluster
 * @param increments for receiving what a node has missed
 * @param state for receiving the whole state
 */
record GaleraPorts(int sql, int group, int increments, int state) {
    static GaleraPorts free() {
        return new GaleraPorts(Ports.free(), Ports.free(), Ports.free(), Ports.free());
    }
}
