// SPDX-License-Identifier: Apache-2.0
/** The core: sequences, their modes, the ports that a store implements, and the in-memory store. */
module dev.seriatim {
    requires static org.jspecify;

    exports dev.seriatim;
    exports dev.seriatim.table;

    uses dev.seriatim.StoreDriver;

    provides dev.seriatim.StoreDriver with
            dev.seriatim.InMemoryDriver;
}
