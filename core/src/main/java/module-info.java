// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** The core: sequences, their modes, the ports that stores implement, and the in-memory store. */
@NullMarked
module dev.seriatim {
    requires static org.crac;
    requires static org.jspecify;

    exports dev.seriatim;
    exports dev.seriatim.engine;
    exports dev.seriatim.engine.sizing;
    exports dev.seriatim.memory;
    exports dev.seriatim.number;
    exports dev.seriatim.store;
    exports dev.seriatim.striped;

    uses dev.seriatim.store.StoreDriver;

    provides dev.seriatim.store.StoreDriver with
            dev.seriatim.memory.InMemoryDriver;
}
