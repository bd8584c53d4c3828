// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class H2ContractTest extends EngineContract {

    @TempDir
    static Path folder;

    @Override
    String database() {
        return "jdbc:h2:file:" + folder.resolve("numbers");
    }
}
