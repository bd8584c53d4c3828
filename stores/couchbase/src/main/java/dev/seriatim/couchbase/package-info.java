// SPDX-License-Identifier: Apache-2.0
/** Sequences in the documents of a Couchbase bucket. Start with {@link dev.seriatim.couchbase.CouchbaseStore}. */
@NullMarked
package dev.seriatim.couchbase;

import org.jspecify.annotations.NullMarked;
