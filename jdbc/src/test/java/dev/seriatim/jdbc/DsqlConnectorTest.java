// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.dsql.jdbc.AuroraDsqlCredentialsManager;

/**
 * Aurora DSQL's own connector, by its URL, on the stand-in. It signs a token with made-up credentials, without the
 * network, and passes it on as the password, unless the URL has one.
 */
@Isolated("the connector's credentials are static")
class DsqlConnectorTest {

    private DsqlLike dsql;

    @BeforeEach
    void create() {
        dsql = DsqlLike.create();
        AuroraDsqlCredentialsManager.setProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("AKIDEXAMPLE", "S3cret")));
    }

    @AfterEach
    void reset() {
        AuroraDsqlCredentialsManager.resetProvider();
    }

    /** Names the database again as an option, since version 1.0.0 of the connector takes the only one of DSQL instead. */
    private String url(String options) {
        return dsql.database().url().replace("jdbc:postgresql:", "jdbc:aws-dsql:postgresql:") + "&PGDBNAME="
                + dsql.database().name() + "&region=eu-west-1" + options;
    }

    @Test
    void opens_the_rows_and_finds_the_engine_behind_its_connection() {
        try (OpenStore store = StoreDriver.open(url(""))) {
            assertThat(store.toString()).startsWith("Aurora DSQL");
            store.create(SequenceDefinition.of("s"));
            assertThat(store.reserve("s", 3).block()).isEqualTo(new Block(1, 3, 1));
        }
    }

    @Test
    void opens_native_sequences() {
        try (OpenStore store = StoreDriver.open(url("&seriatim.sequences=native"))) {
            store.create(store.newDefinition("s").build());
            assertThat(store.reserve("s", 1).definition().cache()).isEqualTo(65536);
        }
    }

    @Test
    void without_credentials_says_so_in_one_line() {
        assertThatThrownBy(() -> StoreDriver.open(url("&profile=missing")))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("missing")
                .hasMessageContaining("profile=NAME")
                .hasMessageNotContaining("\n");
    }

    @Test
    void a_rejected_token_is_reported_with_the_remedy_for_tokens() {
        assertThatThrownBy(() -> StoreDriver.open(
                        url("").replace("&password=" + dsql.database().password(), "")))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("rejects this user")
                .hasMessageContaining("dsql:DbConnect")
                .hasMessageNotContaining("X-Amz")
                .hasMessageNotContaining("\n");
    }

    @Test
    void without_a_server_says_so_in_one_line_and_shows_no_token() {
        assertThatThrownBy(() ->
                        StoreDriver.open("jdbc:aws-dsql:postgresql://127.0.0.1:1/postgres?user=admin&region=eu-west-1"))
                .isInstanceOf(SequenceException.Unavailable.class)
                .hasMessageContaining("cannot be reached")
                .hasMessageContaining("check the host and the port")
                .hasMessageNotContaining("X-Amz")
                .hasMessageNotContaining("\n");
    }
}
