// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.StoreUrl;

/**
 * Opens {@code couchbases://…}: like {@link CouchbaseDriver}, over TLS. The server's certificate must be trusted by the
 * JVM, or be Couchbase's own.
 *
 * <p>Thread-safe.
 */
public final class SecureCouchbaseDriver implements StoreDriver {

    /** Called by the service loader. */
    public SecureCouchbaseDriver() {}

    @Override
    public String prefix() {
        return "couchbases:";
    }

    @Override
    public OpenStore open(StoreUrl url) {
        return CouchbaseConnection.open(CouchbaseUrl.parse(url, System.getenv()));
    }
}
