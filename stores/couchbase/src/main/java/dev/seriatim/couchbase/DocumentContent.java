// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.error.CouchbaseException;
import com.couchbase.client.java.json.JsonArray;
import com.couchbase.client.java.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The content of a document, of any kind. Immutable and thread-safe. */
record DocumentContent(String text) {

    DocumentContent(byte[] bytes) {
        this(new String(bytes, StandardCharsets.UTF_8).strip());
    }

    static DocumentContent of(JsonObject json) {
        return new DocumentContent(json.toString());
    }

    static DocumentContent of(long counter) {
        return new DocumentContent(Long.toUnsignedString(counter));
    }

    byte[] bytes() {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the JSON object; empty if the content is something else. */
    Optional<JsonObject> object() {
        try {
            Object value = JsonArray.fromJson("[" + text + "]").get(0);
            return value instanceof JsonObject object ? Optional.of(object) : Optional.empty();
        } catch (CouchbaseException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    /** Returns the value of a bare counter, an unsigned number; empty if the content is something else. */
    Optional<Long> counter() {
        try {
            return text.matches("\\d{1,20}") ? Optional.of(Long.parseUnsignedLong(text)) : Optional.empty();
        } catch (NumberFormatException aboveSixtyFourBits) {
            return Optional.empty();
        }
    }

    String kind() {
        if (counter().isPresent()) {
            return "a bare counter";
        }
        return object().map(object -> SequenceDocument.isOurs(object)
                        ? "a sequence with its definition"
                        : "a JSON object of another kind")
                .orElse("neither a JSON object nor a counter");
    }
}
