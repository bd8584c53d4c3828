// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.LogManager;

/**
 * Java's logging, configured to show the warnings of Seriatim's own and nothing else: standard error is for the command's own
 * lines, and a store's client that logs there says nothing that its exceptions do not. Named by a property, so that it costs
 * nothing where nobody logs.
 */
public final class OwnLogs {

    private static final String CONFIGURATION = """
            handlers = java.util.logging.ConsoleHandler
            .level = OFF
            dev.seriatim.level = WARNING
            """;

    /**
     * For the log manager.
     *
     * @throws IOException never, since it reads from memory
     */
    public OwnLogs() throws IOException {
        LogManager.getLogManager()
                .readConfiguration(new ByteArrayInputStream(CONFIGURATION.getBytes(StandardCharsets.UTF_8)));
    }
}
