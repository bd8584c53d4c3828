// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.H2Files;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import org.junit.jupiter.api.Tag;

/**
 * The contracts that H2 fulfils in files. It fulfils those of callers' transactions only in memory, where {@link
 * H2ContractTest} checks all of them; on files these are refused ({@link H2DurabilityTest}).
 */
@Tag("long")
class H2FileContractTest extends StoreContracts {

    private static final Database DATABASE = H2Files.freshDatabase();

    @Override
    OpenStore openTable() {
        return StoreDriver.open(DATABASE.option("seriatim.table", table).url());
    }
}
