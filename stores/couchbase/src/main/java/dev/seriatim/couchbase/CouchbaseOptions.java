// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.msg.kv.DurabilityLevel;
import dev.seriatim.SequenceException.Misconfigured;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * The options of a store: the kind of document, the keys, and the required durability. Immutable and thread-safe.
 *
 * @param kind the kind of a sequence's document
 * @param prefix the prefix of the keys, at most 100 bytes; the sequence's name follows
 * @param durability the durability that a value must have before it is dealt. {@link DurabilityLevel#NONE} loses
 *     acknowledged values on failover, and then deals them again.
 * @param timeout maximum duration of an operation, including retries; at least 1 ms
 * @param path the field that is the counter, such as {@code counters.invoice}; empty if the whole document is it
 */
public record CouchbaseOptions(Kind kind, String prefix, DurabilityLevel durability, Duration timeout, String path) {

    /** Default prefix of the keys of sequences; bare counters have none by default. */
    public static final String DEFAULT_PREFIX = "seriatim:";

    private static final int LONGEST_PREFIX = 100;

    private static final Map<String, DurabilityLevel> LEVELS = new TreeMap<>(Map.of(
            "none", DurabilityLevel.NONE,
            "majority", DurabilityLevel.MAJORITY,
            "majority-and-persist", DurabilityLevel.MAJORITY_AND_PERSIST_TO_ACTIVE,
            "persist-to-majority", DurabilityLevel.PERSIST_TO_MAJORITY));

    public enum Kind {
        /** A JSON document with definition and counter. */
        SEQUENCE,
        /** An atomic counter, as {@code increment(key, 1, 1)} creates it, or a field: it holds the last value drawn. */
        COUNTER
    }

    /** Throws {@link Misconfigured} if the prefix is too long, the timeout is below 1 ms, or a sequence has a path. */
    public CouchbaseOptions {
        int bytes = prefix.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > LONGEST_PREFIX) {
            throw new Misconfigured("the prefix of the keys has " + bytes + " bytes; use at most " + LONGEST_PREFIX
                    + ", to leave room for the names");
        }
        if (timeout.compareTo(Duration.ofMillis(1)) < 0) {
            throw new Misconfigured("timeout must be at least 1ms, not " + timeout);
        }
        if (kind != Kind.COUNTER && !path.isEmpty()) {
            throw new Misconfigured("path is for counters; add kind=counter, or remove path");
        }
    }

    /** Returns options for Seriatim's own documents, durable on a majority of the nodes, with 10 s per operation. */
    public static CouchbaseOptions sequences() {
        return new CouchbaseOptions(
                Kind.SEQUENCE, DEFAULT_PREFIX, DurabilityLevel.MAJORITY, Duration.ofSeconds(10), "");
    }

    /** Returns options for bare counters, each stored under its name alone; otherwise like {@link #sequences()}. */
    public static CouchbaseOptions counters() {
        return new CouchbaseOptions(Kind.COUNTER, "", DurabilityLevel.MAJORITY, Duration.ofSeconds(10), "");
    }

    public CouchbaseOptions withPrefix(String other) {
        return new CouchbaseOptions(kind, other, durability, timeout, path);
    }

    public CouchbaseOptions withDurability(DurabilityLevel other) {
        return new CouchbaseOptions(kind, prefix, other, timeout, path);
    }

    /**
     * Sets the durability by its name in URLs: {@code majority}, {@code majority-and-persist},
     * {@code persist-to-majority} or {@code none}.
     *
     * @throws Misconfigured if there is none of this name
     */
    public CouchbaseOptions withDurability(String name) {
        DurabilityLevel level = LEVELS.get(name);
        if (level == null) {
            throw new Misconfigured("durability '%s' does not exist; use one of %s"
                    .formatted(name, String.join(", ", LEVELS.keySet())));
        }
        return withDurability(level);
    }

    /** Returns the durability's name in URLs. */
    String durabilityName() {
        return LEVELS.entrySet().stream()
                .filter(level -> level.getValue() == durability)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    public CouchbaseOptions withTimeout(Duration other) {
        return new CouchbaseOptions(kind, prefix, durability, other, path);
    }

    /** Returns the same options for counters that are a field of an existing or new document. */
    public CouchbaseOptions withPath(String other) {
        return new CouchbaseOptions(kind, prefix, durability, timeout, other);
    }
}
