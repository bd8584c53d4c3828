// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Which document belongs to which sequence. No two names have the same key. Immutable and thread-safe.
 *
 * <p>A key has at most {@value #LONGEST} bytes, but a name can be 256 bytes long. In our own layout such a name is replaced
 * by {@code #} and its SHA-256, and so is a name that itself begins with {@code #}; the document holds the name.
 */
record Keys(CouchbaseOptions.Kind kind, String prefix) {

    // 250 on the wire, of which the id of a collection takes up to 4.
    private static final int LONGEST = 246;
    private static final String NAMES = "#names";

    static Keys of(CouchbaseOptions options) {
        return new Keys(options.kind(), options.prefix());
    }

    /** Where the names of all sequences are listed. */
    String index() {
        return prefix + NAMES;
    }

    /** A sequence's document. */
    String of(String name) {
        SequenceDefinition.checkName(name);
        String key = prefix + name;
        int bytes = key.getBytes(StandardCharsets.UTF_8).length;
        if (kind == CouchbaseOptions.Kind.COUNTER) {
            return published(name, key, bytes);
        }
        return bytes > LONGEST || name.startsWith("#") ? prefix + "#" + digest(name) : key;
    }

    /** Others go by the name as it is, so it cannot be replaced. */
    private String published(String name, String key, int bytes) {
        if (bytes > LONGEST) {
            throw new Misconfigured(
                    name,
                    "its key would have " + bytes + " bytes, and Couchbase takes " + LONGEST + "; shorten the name");
        }
        if (key.equals(index())) {
            throw new Misconfigured(name, "the list of names has this key; choose another name");
        }
        return key;
    }

    private static String digest(String name) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha256.digest(name.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
