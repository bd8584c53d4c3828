// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Maps sequences to document keys. No two names have the same key. Immutable and thread-safe.
 *
 * <p>A key has at most {@value #LONGEST} bytes, but a name can have 256. In Seriatim's own layout, {@code #} and its
 * SHA-256 replace such a name, and one that itself begins with {@code #}; the document holds the name.
 */
record Keys(CouchbaseOptions.Kind kind, String prefix, String path) {

    // 250 on the wire, including up to 4 for the id of a collection.
    private static final int LONGEST = 246;
    private static final String NAMES = "#names";

    static Keys of(CouchbaseOptions options) {
        return new Keys(options.kind(), options.prefix(), options.path());
    }

    /** Returns the key of the document that lists all names. */
    String index() {
        return prefix + NAMES + (path.isEmpty() ? "" : ":" + path);
    }

    String of(String name) {
        SequenceDefinition.checkName(name);
        String key = prefix + name;
        int bytes = key.getBytes(StandardCharsets.UTF_8).length;
        if (kind == CouchbaseOptions.Kind.SEQUENCE) {
            return bytes > LONGEST || name.startsWith("#") ? prefix + "#" + digest(name) : key;
        }
        if (bytes > LONGEST) { // other applications use the name unchanged, so it cannot be replaced
            throw new Misconfigured(
                    name,
                    "its key would have " + bytes + " bytes, and Couchbase allows " + LONGEST + "; shorten the name");
        }
        if (key.equals(index())) {
            throw new Misconfigured(name, "this key is reserved for the list of names; choose another name");
        }
        return key;
    }

    private static String digest(String name) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha256.digest(name.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
