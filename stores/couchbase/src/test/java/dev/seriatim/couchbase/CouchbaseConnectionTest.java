// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.couchbase.client.java.Bucket;
import com.couchbase.client.java.Cluster;
import com.couchbase.client.java.Collection;
import com.couchbase.client.java.json.JsonObject;
import com.couchbase.mock.CouchbaseMock;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Servers that cannot be reached, or can no longer be. Uses mocks of its own, because a real server cannot be treated
 * this way.
 */
@Tag("long")
class CouchbaseConnectionTest {

    private static final String SHORT = "&durability=none&timeout=2s";
    private static final Duration WITHIN = Duration.ofSeconds(8);

    /** Number of attempts to reach the state under test. */
    private static final int ATTEMPTS = 5;

    private static final CouchbaseMock MOCK = TestServer.mock();

    @AfterAll
    static void stop() {
        MOCK.stop();
    }

    /** Opens a store for a test: on a busy machine, the short timeout may end before it is open. */
    private static OpenStore opened(String url) {
        for (int i = 1; ; i++) {
            try {
                return StoreDriver.open(url);
            } catch (Unavailable e) {
                if (i == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Fails to open a store, in time, and returns the one-line message. */
    private static String refused(Class<? extends SequenceException> kind, String url) {
        long began = System.nanoTime();
        SequenceException e =
                catchThrowableOfType(kind, () -> StoreDriver.open(url).close());
        assertThat(e).as(url).isNotNull();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(WITHIN);
        String message = String.valueOf(e.getMessage());
        assertThat(message)
                .doesNotContain("\n")
                .doesNotContain("{")
                .doesNotContain("pw")
                .doesNotContain("wrong-one");
        return message;
    }

    @Test
    void a_wrong_password_is_reported_at_once() {
        assertThat(refused(Misconfigured.class, TestServer.url(MOCK, "default", "wrong-one") + "&durability=none"))
                .contains("rejects user 'default'")
                .contains("SERIATIM_COUCHBASE_PASSWORD");
    }

    @Test
    void a_missing_bucket_is_reported_at_once() {
        assertThat(refused(Misconfigured.class, TestServer.url(MOCK, "nowhere", "pw") + "&durability=none"))
                .contains("no bucket 'nowhere'");
    }

    @Test
    void a_missing_bucket_of_the_callers_cluster_is_reported_within_the_timeout() {
        try (OpenBucket open = OpenBucket.connect()) {
            CouchbaseOptions options = open.sequences().withTimeout(Duration.ofMillis(500));
            assertThatThrownBy(() ->
                            CouchbaseStore.open(open.cluster().bucket("nowhere").defaultCollection(), options))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageStartingWith(
                            "bucket nowhere could not be opened within 500 ms; check that the bucket exists");
        }
    }

    @Test
    void a_closed_port_is_reported_within_the_timeout() {
        String closed = "couchbase://127.0.0.1:1/app?user=u&password=pw&timeout=2s";
        String reported = refused(Unavailable.class, closed);
        if (reported.contains("no answer") || reported.contains("DNS server does not answer")) {
            reported = refused(Unavailable.class, closed); // the timeout ended before the client had looked up the host
        }
        assertThat(reported)
                .contains("bucket app at 127.0.0.1:1 cannot be reached within 2000 ms")
                .contains("Connection refused: /127.0.0.1:1)");
    }

    @Test
    void an_unknown_host_is_reported_within_the_timeout() {
        assertThat(refused(Unavailable.class, "couchbase://no.such.host.invalid:1/app?user=u&password=pw&timeout=2s"))
                .contains("unknown host no.such.host.invalid");
    }

    @Test
    void a_server_that_says_nothing_is_reported_within_the_timeout() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            assertThat(refused(
                            Unavailable.class,
                            "couchbase://127.0.0.1:" + silent.getLocalPort() + "/app?user=u&password=pw&timeout=2s"))
                    .contains("cannot be reached within 2000 ms");
        }
    }

    @Test
    void hosts_that_no_client_can_read_are_reported() {
        assertThat(refused(Misconfigured.class, "couchbase://a:b:c/app?user=u&password=pw"))
                .contains("couchbase://a:***", "hosts must be names or addresses")
                .doesNotContain("b:c"); // may be a password
    }

    @Test
    void durability_that_the_bucket_does_not_have_is_reported_with_the_remedy() {
        assertThat(refused(Misconfigured.class, TestServer.url(MOCK, "default", "pw")))
                .contains("durability majority")
                .contains("durability=none, which loses acknowledged values on failover");
    }

    @Test
    void a_collection_that_the_server_does_not_have_is_reported() {
        assertThat(refused(
                        Misconfigured.class, TestServer.url(MOCK, "default/shop/numbers", "pw") + "&durability=none"))
                .contains("bucket default, collection shop.numbers");
    }

    @Test
    void a_store_without_durability_says_so() {
        try (OpenStore store = StoreDriver.open(TestServer.url(MOCK, "default", "pw") + "&durability=none")) {
            assertThat(store)
                    .asString()
                    .startsWith("Couchbase, bucket default at 127.0.0.1")
                    .endsWith("durability none: loses acknowledged values on failover")
                    .doesNotContain("pw");
        }
    }

    @Test
    void nothing_of_a_closed_store_keeps_the_process_alive() throws Exception {
        String patient = TestServer.url(MOCK, "default", "pw") + "&durability=none&timeout=20s";
        try (Child child = Child.of(Closing.class, patient)) {
            assertThat(child.line()).contains("is closed");
            // The client's last thread waits a second for more work.
            assertThat(child.process().waitFor(WITHIN.toSeconds(), TimeUnit.SECONDS))
                    .as("it ends")
                    .isTrue();
            assertThat(child.process().exitValue()).isZero();
        }
    }

    /** Draws, closes the store, and prints the result of another draw. */
    static final class Closing {
        private Closing() {}

        public static void main(String[] url) {
            OpenStore store = StoreDriver.open(url[0]);
            store.create(SequenceDefinition.of("closed"));
            store.reserve("closed", 1);
            store.close();
            store.close();
            Unavailable caught = catchThrowableOfType(Unavailable.class, () -> store.reserve("closed", 1));
            System.out.println(caught.getMessage());
        }
    }

    @Test
    void a_server_that_falls_silent_is_reported_within_the_timeout() {
        CouchbaseMock own = TestServer.mock();
        try (OpenStore store = opened(TestServer.url(own, "default", "pw") + SHORT)) {
            store.create(SequenceDefinition.of("s"));
            store.reserve("s", 1);
            own.stop(); // leaves its connections open
            failsInTime(store, CommitOutcomeUnknown.class, "commit outcome unknown");
            assertThat(catchThrowableOfType(Unavailable.class, () -> store.describe("s")))
                    .hasMessageContaining("did not answer within 2000 ms (no response on an open connection)");
        }
    }

    /** Another application, on the mock of a URL. */
    private static Cluster client(String url) {
        return Cluster.connect(url.substring(0, url.indexOf("/default?")), "default", "pw");
    }

    private static Collection documents(Cluster cluster) {
        Bucket bucket = cluster.bucket("default");
        bucket.waitUntilReady(WITHIN);
        return bucket.defaultCollection();
    }

    /** Otherwise, the last attempt, cut off by the timeout, would have an unknown outcome. */
    @Test
    void a_document_that_another_holds_is_reported_by_a_slow_server_too() {
        CouchbaseMock slow = TestServer.mock();
        String url = TestServer.url(slow, "default", "pw") + SHORT;
        try (Cluster cluster = client(url);
                OpenStore store = opened(url + "&prefix=")) {
            store.create(SequenceDefinition.of("s"));
            store.reserve("s", 1);
            documents(cluster).getAndLock("s", Duration.ofSeconds(15));
            requireNonNull(slow.getBuckets().get("default")).getServers()[0].setHiccup(20, 1);
            SequenceException failure = catchThrowableOfType(SequenceException.class, () -> store.reserve("s", 1));
            for (int i = 0; i < 4 && !(failure instanceof Overloaded); i++) { // slower than before, occasionally
                failure = catchThrowableOfType(SequenceException.class, () -> store.reserve("s", 1));
            }
            assertThat(failure).isInstanceOf(Overloaded.class).hasMessageContaining("or held it, until its 2000 ms");
        } finally {
            slow.stop();
        }
    }

    @Test
    void a_refusal_is_reported_although_the_server_falls_silent_then() {
        CouchbaseMock own = TestServer.mock();
        String url = TestServer.url(own, "default", "pw") + SHORT;
        try (Cluster cluster = client(url);
                OpenStore store = opened(url + "&prefix=")) {
            store.create(SequenceDefinition.of("s"));
            JsonObject document = documents(cluster).get("s").contentAsObject();
            documents(cluster).replace("s", document.put("guard", JsonObject.create())); // frozen
            IllegalStateException refusal = new IllegalStateException("no such change");
            assertThatThrownBy(() -> store.alter("s", definition -> {
                        own.stop();
                        throw refusal;
                    }))
                    .isSameAs(refusal);
            assertThat(refusal.getSuppressed()).as("not thawed").hasSize(1);
        }
    }

    @Test
    void a_server_that_is_killed_while_it_is_drawn_from_is_reported_within_the_timeout() throws Exception {
        try (Child server = Child.of(MockProcess.class);
                OpenStore store = opened(server.line() + "&timeout=2s")) {
            store.create(SequenceDefinition.of("s"));
            AtomicLong drawn = new AtomicLong();
            CompletableFuture<SequenceException> failure =
                    CompletableFuture.supplyAsync(() -> catchThrowableOfType(SequenceException.class, () -> {
                        while (true) {
                            drawn.set(store.reserve("s", 1).block().first());
                        }
                    }));
            while (drawn.get() < 100 && !failure.isDone()) {
                Thread.sleep(1);
            }
            assertThat(failure).as("failures before the kill").isNotDone();
            server.kill();
            assertThat(failure.get(WITHIN.toSeconds(), TimeUnit.SECONDS))
                    .isInstanceOfAny(Unavailable.class, CommitOutcomeUnknown.class);
            failsInTime(store, Unavailable.class, "no connection to the node that holds the document");
        }
    }

    private static void failsInTime(OpenStore store, Class<? extends SequenceException> kind, String what) {
        long began = System.nanoTime();
        SequenceException e = catchThrowableOfType(SequenceException.class, () -> store.reserve("s", 1));
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(WITHIN);
        assertThat(e)
                .isInstanceOf(kind)
                .message()
                .contains("'s'", what)
                .doesNotContain("\n")
                .doesNotContain("{");
    }
}
