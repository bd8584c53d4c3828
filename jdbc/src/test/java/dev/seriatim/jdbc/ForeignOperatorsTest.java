// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import org.junit.jupiter.api.Tag;

@Tag("long")
class ForeignOperatorsTest extends ForeignOperatorsContract {

    @Override
    Database freshDatabase() {
        return Engine.POSTGRESQL.freshDatabase();
    }
}
