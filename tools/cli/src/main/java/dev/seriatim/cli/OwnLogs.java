// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.LogManager;

/**
 * Configures Java's logging to show Seriatim's own warnings only. Standard error is for the command's messages, and what a
 * database's client logs there is in its exceptions, too. Set by a system property, so it costs nothing unless something
 * logs.
 */
public final class OwnLogs {

    private static final String CONFIGURATION = """
            handlers = java.util.logging.ConsoleHandler
            .level = OFF
            dev.seriatim.level = WARNING
            """;

    /**
     * Called by the log manager.
     *
     * @throws IOException never, since it reads from memory
     */
    public OwnLogs() throws IOException {
        LogManager.getLogManager()
                .readConfiguration(new ByteArrayInputStream(CONFIGURATION.getBytes(StandardCharsets.UTF_8)));
    }
}
