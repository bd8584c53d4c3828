// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Misconfigured;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which store URLs can be led through a link, and how. */
class LinkedUrlTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            jdbc:postgresql://db/shop?user=u&password=p@/x   | db:5432          | jdbc:postgresql://127.0.0.1:7/shop?user=u&password=p@/x
            jdbc:postgresql://db:6000/shop                   | db:6000          | jdbc:postgresql://127.0.0.1:7/shop
            jdbc:postgresql://[fe80::1%eth0]:6000/shop       | [fe80::1%eth0]:6000 | jdbc:postgresql://127.0.0.1:7/shop
            jdbc:postgresql://[::1]/shop                     | [::1]:5432       | jdbc:postgresql://127.0.0.1:7/shop
            jdbc:postgresql:///shop                          | localhost:5432   | jdbc:postgresql://127.0.0.1:7/shop
            jdbc:postgresql://db                             | db:5432          | jdbc:postgresql://127.0.0.1:7
            jdbc:postgresql:shop?user=u                      | localhost:5432   | jdbc:postgresql://127.0.0.1:7/shop?user=u
            jdbc:postgresql:/?user=u                         | localhost:5432   | jdbc:postgresql://127.0.0.1:7/?user=u
            jdbc:postgresql://db/shop?sslmode=verify-ca      | db:5432          | jdbc:postgresql://127.0.0.1:7/shop?sslmode=verify-ca
            jdbc:postgresql://db/shop?ssl=true&sslmode=require | db:5432        | jdbc:postgresql://127.0.0.1:7/shop?ssl=true&sslmode=require
            jdbc:mysql://db/shop                             | db:3306          | jdbc:mysql://127.0.0.1:7/shop
            jdbc:mysql://me:secret@db:3307/shop              | db:3307          | jdbc:mysql://me:secret@127.0.0.1:7/shop
            jdbc:mysql://db                                  | db:3306          | jdbc:mysql://127.0.0.1:7
            jdbc:mariadb://db?user=u                         | db:3306          | jdbc:mariadb://127.0.0.1:7?user=u
            jdbc:mariadb:sequential://db:3307/shop           | db:3307          | jdbc:mariadb:sequential://127.0.0.1:7/shop
            jdbc:h2:tcp://db/~/shop;USER=sa                  | db:9092          | jdbc:h2:tcp://127.0.0.1:7/~/shop;USER=sa
            jdbc:h2:tcp://db:9/mem:shop                      | db:9             | jdbc:h2:tcp://127.0.0.1:7/mem:shop
            jdbc:cloudspanner://db:9/projects/p?usePlainText=true;a=b | db:9    | jdbc:cloudspanner://127.0.0.1:7/projects/p?usePlainText=true;a=b
            spanner:projects/p/instances/i/databases/d?emulator=db:9020&table=t | db:9020 | spanner:projects/p/instances/i/databases/d?emulator=127.0.0.1:7&table=t
            spanner:projects/p/instances/i/databases/d?table=t | emu:9010       | spanner:projects/p/instances/i/databases/d?table=t&emulator=127.0.0.1:7
            """)
    void leads_through_the_link(String url, String server, String through) {
        LinkedUrl linked = LinkedUrl.parse(url, Map.of("SPANNER_EMULATOR_HOST", "emu:9010"));
        assertThat(linked).hasToString(server);
        assertThat(linked.through(7)).isEqualTo(through);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            jdbc:postgresql://a,b:1/shop?password=hidden     | must be one HOST:PORT
            jdbc:postgresql://a:99999/shop                   | must be one HOST:PORT
            jdbc:postgresql://me:hidden@db/shop              | write user and password as options
            jdbc:postgresql://db:hidden/shop                 | must be one HOST:PORT
            jdbc:postgresql://::1/shop                       | must be one HOST:PORT
            jdbc:postgresql://db/shop?sslmode=verify-full&password=hidden | verify-ca
            jdbc:postgresql://db/shop?ssl=true               | verify-ca
            jdbc:postgresql://db/shop?socketFactory=x&password=hidden | option socketfactory
            jdbc:mysql://db/shop?sslMode=VERIFY_IDENTITY     | verify-ca
            jdbc:mysql://(host=db,password=hidden)/shop      | an IPv6 address in brackets
            jdbc:mysql://address=(host=db)(port=1)/shop      | an IPv6 address in brackets
            jdbc:mysql:shop                                  | must be one HOST:PORT
            jdbc:mariadb:sequential://a,b/shop               | must be one HOST:PORT
            jdbc:mariadb://db/shop?sslMode=verify-full       | verify-ca
            jdbc:mariadb://db/shop?localSocket=/s            | option localsocket
            jdbc:h2:tcp:db/shop                              | must be one HOST:PORT
            jdbc:h2:ssl://db/shop                            | can be linked
            jdbc:h2:mem:shop                                 | this store has no server
            jdbc:h2:./shop                                   | this store has no server
            jdbc:sqlite:shop.db                              | this store has no server
            sqlite:shop.db                                   | this store has no server
            memory:                                          | this store has no server
            couchbase://db/bucket?user=u&password=hidden     | addresses of its nodes
            spanner:projects/p/instances/i/databases/d       | emulator=HOST:PORT
            jdbc:cloudspanner://db:9010/x                    | with usePlainText=true
            jdbc:cloudspanner:/projects/p?usePlainText=true  | must be one HOST:PORT
            jdbc:cloudspanner://db/x;usePlainText=true       | must be one HOST:PORT
            jdbc:sqlserver://db;password=hidden              | can be linked
            nonsense                                         | can be linked
            """)
    void says_in_one_line_why_links_cannot_be_cut(String url, String reason) {
        assertThatThrownBy(() -> LinkedUrl.parse(url, Map.of()))
                .isInstanceOf(Misconfigured.class)
                .satisfies(e -> assertThat(e.getMessage())
                        .startsWith("links of store URL '")
                        .contains("' cannot be cut: ", reason)
                        .doesNotContain("hidden", "\n"));
    }
}
