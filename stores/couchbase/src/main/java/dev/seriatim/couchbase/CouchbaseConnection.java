// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.cnc.Event;
import com.couchbase.client.core.cnc.EventSubscription;
import com.couchbase.client.core.cnc.events.endpoint.EndpointConnectionFailedEvent;
import com.couchbase.client.core.cnc.events.io.SaslAuthenticationFailedEvent;
import com.couchbase.client.core.cnc.events.io.SelectBucketFailedEvent;
import com.couchbase.client.java.Bucket;
import com.couchbase.client.java.Cluster;
import com.couchbase.client.java.ClusterOptions;
import com.couchbase.client.java.Collection;
import com.couchbase.client.java.Scope;
import com.couchbase.client.java.env.ClusterEnvironment;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.store.OpenStore;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The store's own connection. While connecting, it reads the client's events: exceptions report only a timeout. */
final class CouchbaseConnection implements AutoCloseable {

    private static final Duration GOODBYE = Duration.ofSeconds(2);

    private final CouchbaseUrl url;
    private final ClusterEnvironment environment;
    private final Cluster cluster;

    private CouchbaseConnection(CouchbaseUrl url) {
        this.url = url;
        environment = environment(url);
        try {
            ClusterOptions account =
                    ClusterOptions.clusterOptions(url.user(), url.password()).environment(environment);
            cluster = Cluster.connect(url.connection(), account);
        } catch (RuntimeException e) {
            environment.shutdown(GOODBYE);
            throw e;
        }
    }

    /**
     * Connects to a URL's collection. Throws {@link Misconfigured} if it is refused, {@link Unavailable} if no node
     * answers.
     */
    static OpenStore open(CouchbaseUrl url) {
        Deadline deadline = Deadline.in(url.options().timeout());
        try {
            CouchbaseConnection connection = connected(url, deadline);
            try {
                return connection.store(deadline);
            } catch (Throwable e) {
                connection.close();
                throw e;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable("interrupted while connecting to " + url.place(), e);
        }
    }

    /** Connects on a separate thread, because the client's DNS lookup of the hosts has no time limit. */
    private static CouchbaseConnection connected(CouchbaseUrl url, Deadline deadline) throws InterruptedException {
        CompletableFuture<CouchbaseConnection> made =
                CompletableFuture.supplyAsync(() -> new CouchbaseConnection(url), task -> {
                    Thread maker = new Thread(task, "seriatim-couchbase-connect");
                    maker.setDaemon(true);
                    maker.start();
                });
        try {
            return made.get(deadline.left().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error broken) {
                throw broken;
            }
            throw new Misconfigured(
                    "cannot connect to a cluster with '" + url.connection() + "': "
                            + CouchbaseFailures.oneLine(Objects.requireNonNullElse(e.getCause(), e)),
                    e);
        } catch (TimeoutException | InterruptedException e) {
            var unused = made.thenAccept(CouchbaseConnection::close);
            if (e instanceof InterruptedException interrupt) {
                throw interrupt;
            }
            throw unreachable(url, "the DNS server does not answer", e);
        }
    }

    private static ClusterEnvironment environment(CouchbaseUrl url) {
        Duration timeout = url.options().timeout();
        return ClusterEnvironment.builder()
                .securityConfig(security -> security.enableTls(url.connection().startsWith("couchbases:")))
                .timeoutConfig(times ->
                        times.kvTimeout(timeout).kvDurableTimeout(timeout).connectTimeout(timeout))
                // Disables the cleanup for the client's transactions, which are not used here.
                .transactionsConfig(transactions -> transactions.cleanupConfig(
                        cleanup -> cleanup.cleanupClientAttempts(false).cleanupLostAttempts(false)))
                .build();
    }

    private OpenStore store(Deadline deadline) throws InterruptedException {
        Refusal refusal = new Refusal();
        EventSubscription subscription = environment.eventBus().subscribe(refusal::see);
        try {
            Bucket bucket = cluster.bucket(url.bucket());
            waitUntilReady(bucket, refusal, deadline);
            Scope scope = bucket.scope(url.scope());
            if (url.isNative()) {
                return new CouchbaseNativeStore(scope, url.options().timeout(), url.place(), this::close);
            }
            Collection collection = scope.collection(url.collection());
            return CouchbaseStore.open(collection, url.options(), url.place(), this::close);
        } finally {
            environment.eventBus().unsubscribe(subscription);
        }
    }

    private void waitUntilReady(Bucket bucket, Refusal refusal, Deadline deadline) throws InterruptedException {
        CompletableFuture<Void> ready = bucket.async().waitUntilReady(deadline.left());
        try {
            CompletableFuture.anyOf(ready, refusal.event).get(deadline.left().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw unreachable(url, Objects.requireNonNullElse(refusal.unreachable.get(), "no answer"), e);
        } finally {
            // Otherwise it continues, and writes an error to standard error when it finds the client shut down.
            ready.cancel(true);
        }
        if (ready.isCancelled()) {
            throw refused(refusal.event.join());
        }
    }

    private static Unavailable unreachable(CouchbaseUrl url, String why, Exception e) {
        return new Unavailable(
                url.place() + " cannot be reached within "
                        + url.options().timeout().toMillis() + " ms (" + why
                        + "); check host and port, and that the server is up",
                e);
    }

    private SequenceException refused(Event event) {
        if (event instanceof SaslAuthenticationFailedEvent) {
            return new Misconfigured(
                    "%s rejects user '%s' with this password; check both: user=…&password=…, or %s and %s"
                            .formatted(url.hosts(), url.user(), CouchbaseUrl.USER, CouchbaseUrl.PASSWORD));
        }
        return new Misconfigured("""
                no bucket '%s' at %s, or user '%s' lacks access to it; create it, name \
                another one, or grant access""".formatted(url.bucket(), url.hosts(), url.user()));
    }

    @Override
    public void close() {
        try {
            cluster.disconnect(GOODBYE);
        } catch (RuntimeException e) {
            // A server that does not answer must not block the caller; it releases its resources later.
        } finally {
            environment.shutdown(GOODBYE);
        }
    }

    /** Records the client's events while it connects. Thread-safe. */
    private static final class Refusal {

        private final CompletableFuture<Event> event = new CompletableFuture<>();
        private final AtomicReference<@Nullable String> unreachable = new AtomicReference<>();

        void see(Event seen) {
            if (seen instanceof SaslAuthenticationFailedEvent || seen instanceof SelectBucketFailedEvent) {
                event.complete(seen);
            } else if (seen instanceof EndpointConnectionFailedEvent failed && failed.cause() != null) {
                // Keep the first one, which comes from the data node and not from its console.
                unreachable.compareAndSet(null, plain(failed.cause()));
            }
        }

        private static String plain(Throwable cause) {
            String what = CouchbaseFailures.oneLine(cause)
                    .replaceFirst("^finishConnect.*error\\(-\\d+\\): ", "")
                    .replaceFirst(" - Check server ports.*", "");
            return cause instanceof java.net.UnknownHostException ? "unknown host " + what : what;
        }
    }
}
