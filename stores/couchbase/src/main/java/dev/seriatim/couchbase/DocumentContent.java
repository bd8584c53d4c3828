// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.error.CouchbaseException;
import com.couchbase.client.java.json.JsonArray;
import com.couchbase.client.java.json.JsonObject;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The content of a document, of any kind. Immutable and thread-safe. */
final class DocumentContent {

    private static final Pattern DIGITS = Pattern.compile("\\d{1,20}");
    private static final Pattern SIGNED = Pattern.compile("-?\\d{1,20}");
    private static final BigInteger ABOVE_64_BITS = BigInteger.ONE.shiftLeft(64);

    private static final Object NOTHING = Map.of();
    private static final Object NULL = Optional.empty();

    private final byte[] bytes;

    DocumentContent(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    static DocumentContent of(JsonObject json) {
        return new DocumentContent(json.toBytes());
    }

    /** Returns the content of a bare counter. */
    static DocumentContent of(long counter) {
        return new DocumentContent(Long.toUnsignedString(counter).getBytes(StandardCharsets.UTF_8));
    }

    byte[] bytes() {
        return bytes.clone();
    }

    /** Returns the JSON object; empty if the content is something else. */
    Optional<JsonObject> object() {
        return text().startsWith("{") && value() instanceof JsonObject object ? Optional.of(object) : Optional.empty();
    }

    /** Returns the value of a bare counter, 0 … 2<sup>64</sup>-1; empty if the content is something else. */
    Optional<BigInteger> counter() {
        return DIGITS.matcher(text()).matches()
                ? Optional.of(new BigInteger(text())).filter(number -> number.compareTo(ABOVE_64_BITS) < 0)
                : Optional.empty();
    }

    /**
     * Returns the 64 bits of a bare counter, also if a server shows one above 2<sup>63</sup>-1 as a negative number.
     */
    Optional<Long> bits() {
        return SIGNED.matcher(text()).matches()
                ? Optional.of(new BigInteger(text()))
                        .filter(number -> number.bitLength() <= 63 || counter().isPresent())
                        .map(BigInteger::longValue)
                : Optional.empty();
    }

    /** Returns the kind of content, for messages. */
    String kind() {
        if (counter().isPresent()) {
            return "a bare counter";
        }
        Object value = value();
        if (value instanceof JsonObject object) {
            return SequenceDocument.isOurs(object) ? "a sequence with its definition" : "a JSON object of another kind";
        }
        return value == NOTHING
                ? bytes.length == 0 ? "empty" : "not JSON"
                : value instanceof JsonArray
                        ? "a JSON array"
                        : value instanceof String ? "a JSON string" : "JSON, but neither an object nor a counter";
    }

    private Object value() {
        try {
            Object value = JsonArray.fromJson("[" + text() + "]").get(0);
            return value == null ? NULL : value;
        } catch (CouchbaseException | IndexOutOfBoundsException e) {
            return NOTHING;
        }
    }

    private String text() {
        return new String(bytes, StandardCharsets.UTF_8).strip();
    }
}
