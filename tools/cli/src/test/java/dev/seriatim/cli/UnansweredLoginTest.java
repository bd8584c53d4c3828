// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Waits half a minute, so it begins first. */
@Tag("long")
@Order(1)
class UnansweredLoginTest {

    @Test
    void a_server_that_accepts_connections_and_stays_silent_is_not_waited_for_without_end() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String place = "127.0.0.1:" + silent.getLocalPort() + "/db";
            CommandLineRun run = CommandLineRun.of(
                    Map.of("SERIATIM_STORE", "jdbc:postgresql://" + place + "?user=u&password=wrong-secret"),
                    "next",
                    "orders");
            run.failedWith(place + " did not answer in time (");
            assertThat(run.err()).doesNotContain("wrong-secret");
        }
    }
}
