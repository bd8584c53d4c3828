// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.msg.kv.DurabilityLevel;
import dev.seriatim.SequenceException.Misconfigured;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * How a store keeps its sequences: in which kind of document, under which keys, and when a value counts as kept.
 *
 * <p>Immutable and thread-safe.
 *
 * @param kind what a sequence's document is
 * @param prefix what the keys begin with, at most 100 bytes; a sequence's name follows
 * @param durability what has to have happened to a value before it is dealt. {@link DurabilityLevel#NONE} loses acknowledged
 *     values on failover, and then deals them again.
 * @param timeout how long an operation may take, retries included; at least 1 ms
 */
public record CouchbaseOptions(Kind kind, String prefix, DurabilityLevel durability, Duration timeout) {

    /** What the keys of sequences begin with when nobody says otherwise; those of bare counters begin with nothing. */
    public static final String DEFAULT_PREFIX = "seriatim:";

    private static final int LONGEST_PREFIX = 100;

    /** What a sequence's document is. */
    public enum Kind {
        /** A JSON document with definition and counter. */
        SEQUENCE,
        /** A bare atomic counter, as {@code increment(key, 1, 1)} makes it, which holds the value drawn last. */
        COUNTER
    }

    /**
     * Checks the prefix and the timeout.
     *
     * @throws Misconfigured when the prefix is too long or the timeout below 1 ms
     */
    public CouchbaseOptions {
        int bytes = prefix.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > LONGEST_PREFIX) {
            throw new Misconfigured("the prefix of the keys has " + bytes + " bytes; at most " + LONGEST_PREFIX
                    + " leave room for the names");
        }
        if (timeout.compareTo(Duration.ofMillis(1)) < 0) {
            throw new Misconfigured("timeout must be at least 1ms, but is " + timeout);
        }
    }

    /** Documents of our own, durable on a majority of the nodes, 10 seconds per operation. */
    public static CouchbaseOptions sequences() {
        return new CouchbaseOptions(Kind.SEQUENCE, DEFAULT_PREFIX, DurabilityLevel.MAJORITY, Duration.ofSeconds(10));
    }

    /** Bare counters, each under its name alone; otherwise as {@link #sequences()}. */
    public static CouchbaseOptions counters() {
        return new CouchbaseOptions(Kind.COUNTER, "", DurabilityLevel.MAJORITY, Duration.ofSeconds(10));
    }

    /** The same with other keys. */
    public CouchbaseOptions withPrefix(String other) {
        return new CouchbaseOptions(kind, other, durability, timeout);
    }

    /** The same with another durability. */
    public CouchbaseOptions withDurability(DurabilityLevel other) {
        return new CouchbaseOptions(kind, prefix, other, timeout);
    }

    /** The same with another timeout. */
    public CouchbaseOptions withTimeout(Duration other) {
        return new CouchbaseOptions(kind, prefix, durability, other);
    }
}
