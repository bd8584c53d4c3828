// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.mock.CouchbaseMock;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The server under test: the one that {@code SERIATIM_TEST_COUCHBASE} names by the URL of a bucket, or else a
 * CouchbaseMock in this JVM. Prints which, once. Thread-safe.
 */
final class TestServer {

    /** An option for new processes: on a busy machine, the client takes long to start. */
    static final String PATIENT = "&timeout=30s";

    private static final String VARIABLE = "SERIATIM_TEST_COUCHBASE";
    private static final AtomicInteger PLACES = new AtomicInteger();
    private static final TestServer OF_THIS_JVM = start(System.getenv(VARIABLE));

    private final String url;
    private final boolean real;

    private TestServer(String url, boolean real) {
        this.url = url;
        this.real = real;
    }

    private static TestServer start(@Nullable String named) {
        if (named != null && !named.isBlank()) {
            System.err.println("Couchbase: the server that " + VARIABLE + " names");
            return new TestServer(named, true);
        }
        System.err.println(
                "Couchbase: CouchbaseMock 1.5.27, which cannot prove durability, failover and collections; set "
                        + VARIABLE + "=couchbase://HOST/BUCKET?user=…&password=… to use a server");
        return new TestServer(url(mock(), "default", "pw") + "&durability=none", false);
    }

    /** Returns whether it is a real server, not the mock. */
    static boolean isReal() {
        return OF_THIS_JVM.real;
    }

    /** Returns the URL of the store, with further options. */
    static String url(String options) {
        return OF_THIS_JVM.url + options;
    }

    /** Returns the URL of an unused set of sequences. */
    static String freshPlace() {
        return url("&prefix=" + freshPrefix());
    }

    /** Returns an unused prefix. */
    static String freshPrefix() {
        return "test-" + ProcessHandle.current().pid() + "-" + PLACES.incrementAndGet() + ":";
    }

    /** Starts a separate mock, with the buckets {@code default} (password pw) and {@code other} (password pw2). */
    static CouchbaseMock mock() {
        try {
            CouchbaseMock mock = new CouchbaseMock("127.0.0.1", 0, 1, 0, 64, "default:pw:,other:pw2:", 0);
            mock.start();
            mock.waitForStartup();
            return mock;
        } catch (IOException e) {
            throw new AssertionError("CouchbaseMock does not start", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while CouchbaseMock started", e);
        }
    }

    /** Returns the URL of a mock's bucket. */
    static String url(CouchbaseMock mock, String bucket, String password) {
        return "couchbase://127.0.0.1:" + mock.getCarrierPort("default") + "=kv,127.0.0.1:" + mock.getHttpPort()
                + "=manager/" + bucket + "?user=default&password=" + password;
    }
}
