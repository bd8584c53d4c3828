// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.StoreUrl;

/**
 * Opens {@code couchbase://HOST[,HOST…]/BUCKET[/SCOPE/COLLECTION]}. A host may have a port: of its data service, or, as in
 * {@code host:11210=kv,host:8091=manager}, of that and of its console. Options:
 *
 * <ul>
 *   <li>{@code user} and {@code password}, in which {@code %26} is an ampersand; without them, the environment variables
 *       {@code SERIATIM_COUCHBASE_USER} and {@code SERIATIM_COUCHBASE_PASSWORD}
 *   <li>{@code durability}: {@code majority}, unless {@code majority-and-persist}, {@code persist-to-majority} or {@code none},
 *       which loses acknowledged values on failover
 *   <li>{@code timeout}: how long an operation may take, such as {@code 10s}, which is the default
 *   <li>{@code kind=counter}: bare counters, each under its name, which others may increment as well
 *   <li>{@code prefix}: what the keys of the documents begin with, by default {@value CouchbaseOptions#DEFAULT_PREFIX}; nothing
 *       for bare counters
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class CouchbaseDriver implements StoreDriver {

    /** For the service loader. */
    public CouchbaseDriver() {}

    @Override
    public String prefix() {
        return "couchbase:";
    }

    @Override
    public OpenStore open(StoreUrl url) {
        return CouchbaseConnection.open(CouchbaseUrl.parse(url, System.getenv()));
    }
}
