// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

/**
 * The ports of one node.
 *
 * @param sql for clients
 * @param group for cluster messages
 * @param increments for receiving incremental state transfers
 * @param state for receiving full state transfers
 */
record GaleraPorts(int sql, int group, int increments, int state) {
    static GaleraPorts free() {
        return new GaleraPorts(Ports.free(), Ports.free(), Ports.free(), Ports.free());
    }
}
