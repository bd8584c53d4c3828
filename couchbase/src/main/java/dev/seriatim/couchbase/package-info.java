// SPDX-License-Identifier: Apache-2.0
/**
 * Sequences in the documents of a Couchbase bucket. Start at {@link dev.seriatim.couchbase.CouchbaseStore}.
 */
@NullMarked
package dev.seriatim.couchbase;

import org.jspecify.annotations.NullMarked;
