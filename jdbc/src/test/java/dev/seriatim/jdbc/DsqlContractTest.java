// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.servers.Database;
import dev.seriatim.store.OpenStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * Runs on a stand-in for Aurora DSQL, one test at a time: there, each table that one test creates conflicts with all
 * transactions.
 */
@Tag("long")
class DsqlContractTest extends EngineContract {

    private static final List<DsqlLike> STAND_IN = new ArrayList<>();

    @BeforeAll
    static void create() {
        STAND_IN.add(0, DsqlLike.create());
    }

    @Override
    boolean hasSavepoints() {
        return false;
    }

    @Override
    List<Database> nodes() {
        return List.of(STAND_IN.get(0).database());
    }

    @Override
    OpenStore open(Database node) {
        return STAND_IN.get(0).open(node);
    }
}
