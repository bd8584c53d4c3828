// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.bench.load.OpenSite;
import dev.seriatim.bench.load.Site;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WriterProbeTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit's to set
    private Path folder;

    @Test
    void an_sqlite_file_has_one_writer() {
        try (OpenSite opened = OpenSite.open("sqlite:" + folder.resolve("s.db"), 2)) {
            assertThat(WriterProbe.findsOneWriter(opened.site())).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    void other_engines_have_more(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        try (OpenStore store = StoreDriver.open(database.url())) {
            assertThat(WriterProbe.findsOneWriter(Site.of(store, database.url(), null)))
                    .isFalse();
        }
    }
}
