// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.OpenStore;
import dev.seriatim.StoreDriver;
import dev.seriatim.testkit.AllocationContract;
import dev.seriatim.testkit.SequenceCatalogContract;
import dev.seriatim.testkit.SequenceStoreContract;
import dev.seriatim.testkit.TransactionalStoreContract;
import java.nio.file.Path;
import java.sql.Connection;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

class SqliteContractTest {

    @TempDir
    Path folder;

    private JdbcStore openFile() {
        return (JdbcStore) StoreDriver.open("sqlite:" + folder.resolve("numbers.db"));
    }

    @Nested
    class Store extends SequenceStoreContract {
        @Override
        protected OpenStore open() {
            return openFile();
        }
    }

    @Nested
    class Catalog extends SequenceCatalogContract {
        @Override
        protected OpenStore open() {
            return openFile();
        }
    }

    @Nested
    class Transactional extends TransactionalStoreContract<Connection, JdbcStore> {
        @Override
        protected JdbcStore open() {
            return openFile();
        }
    }

    @Nested
    class Modes extends AllocationContract {
        @Override
        protected OpenStore open() {
            return openFile();
        }
    }
}
