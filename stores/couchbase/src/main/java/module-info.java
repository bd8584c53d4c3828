// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Store that keeps counters in Couchbase documents. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // the client has no module descriptors
@NullMarked
module dev.seriatim.couchbase {
    requires transitive dev.seriatim;
    requires transitive com.couchbase.client.java;
    requires transitive com.couchbase.client.core;
    requires org.reactivestreams;
    requires reactor.core;
    requires static org.jspecify;

    exports dev.seriatim.couchbase;

    provides dev.seriatim.store.StoreDriver with
            dev.seriatim.couchbase.CouchbaseDriver,
            dev.seriatim.couchbase.CouchbaseDriver.Secure;
}
