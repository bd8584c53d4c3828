// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;

/** Opens a store from its URL, draws, and does not close it. */
final class ForgetfulProgram {

    private ForgetfulProgram() {}

    public static void main(String[] arguments) {
        OpenStore store = StoreDriver.open(arguments[0]);
        store.create(SequenceDefinition.of("s"));
        System.out.println(store.reserve("s", 1).block().first());
    }
}
