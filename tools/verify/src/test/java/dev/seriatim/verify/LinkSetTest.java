// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.verify.fault.LinkedUrl;
import dev.seriatim.verify.fault.TcpLink;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinkSetTest {

    @Test
    void a_text_names_the_servers_and_not_the_links() {
        LinkedUrl one = LinkedUrl.parse("jdbc:postgresql://db.example:5433/orders");
        LinkedUrl other = LinkedUrl.parse("jdbc:postgresql://[::1]:5434/orders");
        try (TcpLink first = TcpLink.to("127.0.0.1", 1, one.protocol());
                TcpLink second = TcpLink.to("127.0.0.1", 1, other.protocol())) {
            LinkSet links = new LinkSet(List.of(first, second), List.of(one, other));
            assertThat(links.toServers("the connection to jdbc:postgresql://127.0.0.1:" + first.port()
                            + "/orders broke; so did that to 127.0.0.1:" + second.port() + ", not that to 127.0.0.1:"
                            + first.port() + "0"))
                    .isEqualTo("the connection to jdbc:postgresql://db.example:5433/orders broke; so did that to"
                            + " [::1]:5434, not that to 127.0.0.1:" + first.port() + "0");
        }
    }
}
