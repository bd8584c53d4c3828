// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.error.CouchbaseException;
import com.couchbase.client.java.json.JsonObject;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.SequenceState;
import java.math.BigInteger;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A sequence as one of Seriatim's own documents: the definition, the first value dealt under it, and how many values
 * were dealt since, or requested beyond the end. Only that count is a JSON number; everything that can be large is a
 * string, because not every JSON reader preserves 64 bits.
 *
 * <p>The guard is an object whose only member is named by a unique stamp, which changes with every rewrite of the
 * document. A change of the part with a known stamp therefore fails if the document has been rewritten. Without a
 * stamp, the document is frozen: no instance can draw until it is rewritten. Immutable and thread-safe.
 *
 * @param first the first value dealt since the document was written
 * @param dealt how many values were requested since, not negative
 * @param steps how many values follow the first before the end, as an unsigned number
 */
record SequenceDocument(
        SequenceDefinition definition, long epoch, long first, long steps, long dealt, Optional<String> stamp) {

    /** The member that holds the count. */
    static final String DEALT = "dealt";

    /** The member that contains the stamp; the path below it exists until the document is rewritten. */
    static final String GUARD = "guard";

    private static final String MARK = "seriatim";
    private static final String OURS = "sequence";

    static boolean isOurs(JsonObject json) {
        return OURS.equals(json.get(MARK));
    }

    /** Returns a document for a state, with a new stamp. */
    static SequenceDocument of(SequenceState state) {
        // A used-up sequence starts with its last value, which has been dealt.
        return of(
                state.definition(),
                state.epoch(),
                state.nextValue(),
                state.usedUp() ? 1 : 0,
                Optional.of("v" + Long.toHexString(ThreadLocalRandom.current().nextLong())));
    }

    private static SequenceDocument of(
            SequenceDefinition definition, long epoch, long first, long dealt, Optional<String> stamp) {
        BigInteger values = new SequenceState(definition, first, false, epoch).valuesLeft();
        return new SequenceDocument(
                definition, epoch, first, values.subtract(BigInteger.ONE).longValue(), dealt, stamp);
    }

    SequenceState state() {
        return at(dealt);
    }

    /** Returns the state after {@code count} values were requested, not negative. */
    SequenceState at(long count) {
        // The products may overflow on the way, but the results fit into 64 bits and are exact.
        return Long.compareUnsigned(count, steps) > 0
                ? new SequenceState(definition, first + steps * definition.increment(), true, epoch)
                : new SequenceState(definition, first + count * definition.increment(), false, epoch);
    }

    DocumentContent content() {
        JsonObject guard = JsonObject.create();
        stamp.ifPresent(name -> guard.put(name, true));
        return DocumentContent.of(JsonObject.create()
                .put(MARK, OURS)
                .put("name", definition.name())
                .put("start", Long.toString(definition.start()))
                .put("increment", Long.toString(definition.increment()))
                .put("min", Long.toString(definition.min()))
                .put("max", Long.toString(definition.max()))
                .put("cycle", definition.cycle())
                .put("cache", Long.toString(definition.cache()))
                .put("epoch", Long.toString(epoch))
                .put("first", Long.toString(first))
                .put(DEALT, dealt)
                .put(GUARD, guard));
    }

    /** Parses one of Seriatim's own documents. Throws {@link Misconfigured} if it holds no valid sequence. */
    static SequenceDocument read(JsonObject json) {
        SequenceDefinition definition = new SequenceDefinition(
                text(json, "name"),
                number(json, "start"),
                number(json, "increment"),
                number(json, "min"),
                number(json, "max"),
                Boolean.TRUE.equals(json.get("cycle")),
                number(json, "cache"));
        return of(definition, number(json, "epoch"), number(json, "first"), count(json), stamp(json));
    }

    private static String text(JsonObject json, String member) {
        if (json.get(member) instanceof String text) {
            return text;
        }
        throw new Misconfigured("'" + member + "' is not a text");
    }

    private static long number(JsonObject json, String member) {
        try {
            return Long.parseLong(text(json, member));
        } catch (NumberFormatException e) {
            throw new Misconfigured("'" + member + "' is not an integer in quotes", e);
        }
    }

    private static long count(JsonObject json) {
        Object count = json.get(DEALT);
        // Any other value, such as a fraction, was written by another application.
        if ((count instanceof Integer || count instanceof Long) && ((Number) count).longValue() >= 0) {
            return ((Number) count).longValue();
        }
        throw new Misconfigured("'" + DEALT + "' is not an integer from 0 to " + Long.MAX_VALUE);
    }

    private static Optional<String> stamp(JsonObject json) {
        try {
            JsonObject guard = json.getObject(GUARD);
            Set<String> stamps = guard == null ? Set.of() : guard.getNames();
            return stamps.stream().findFirst();
        } catch (CouchbaseException | ClassCastException e) {
            throw new Misconfigured("'" + GUARD + "' is not an object", e);
        }
    }
}
