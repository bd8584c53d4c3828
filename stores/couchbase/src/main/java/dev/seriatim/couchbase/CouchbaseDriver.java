// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.StoreUrl;

/**
 * Opens {@code couchbase://HOST[,HOST…]/BUCKET[/SCOPE/COLLECTION]}. A host may have a port: that of its data service
 * or, as in {@code host:11210=kv,host:8091=manager}, those of its data service and its console. Thread-safe. Options:
 *
 * <ul>
 *   <li>{@code user} and {@code password}, in which {@code %26} is an ampersand; the defaults are the environment
 *       variables {@code SERIATIM_COUCHBASE_USER} and {@code SERIATIM_COUCHBASE_PASSWORD}
 *   <li>{@code durability}: {@code majority} (the default), {@code majority-and-persist}, {@code persist-to-majority}
 *       or {@code none}, which loses acknowledged values on failover
 *   <li>{@code timeout}: maximum duration of an operation; the default is {@code 10s}
 *   <li>{@code kind=counter}: bare counters, each stored under its name, which other applications may increment too;
 *       with {@code path}, such as {@code counters.invoice}, that field of the document
 *   <li>{@code prefix}: prefix of the document keys, by default {@value CouchbaseOptions#DEFAULT_PREFIX}, or nothing
 *       for bare counters
 *   <li>{@code sequences=native}: the scope's SQL++ sequences instead of documents, in Couchbase Server 7.6 or later;
 *       written to Couchbase's documentation, not run; unique, not ordered
 * </ul>
 */
public final class CouchbaseDriver implements StoreDriver {

    @Override
    public String prefix() {
        return "couchbase:";
    }

    @Override
    public OpenStore open(StoreUrl url) {
        return CouchbaseConnection.open(CouchbaseUrl.parse(url, System.getenv()));
    }

    /**
     * Opens {@code couchbases://…}: the same over TLS. The server's certificate must be trusted by the JVM, or be
     * Couchbase's own. Thread-safe.
     */
    public static final class Secure implements StoreDriver {

        @Override
        public String prefix() {
            return "couchbases:";
        }

        @Override
        public OpenStore open(StoreUrl url) {
            return CouchbaseConnection.open(CouchbaseUrl.parse(url, System.getenv()));
        }
    }
}
