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
 * A sequence as a document of our own: the definition, the value dealt first under it, and how many were dealt since, or
 * asked for beyond the end. That count alone is a JSON number; all that can be large are strings, since not everything that
 * reads JSON keeps 64 bits.
 *
 * <p>The guard is an object whose only member is named by a stamp that nobody had before: every rewriting of the document
 * has one of its own. So a change of the part with the stamp that one has seen fails when the document says something else by
 * now. Without a stamp the document is frozen: nobody draws until it has been rewritten.
 *
 * <p>Immutable and thread-safe.
 *
 * @param first the value dealt first since the document was written
 * @param dealt how many were asked for since, not negative
 * @param steps how many values follow the first before the end, as an unsigned number
 */
record SequenceDocument(
        SequenceDefinition definition, long epoch, long first, long steps, long dealt, Optional<String> stamp) {

    /** The member that counts. */
    static final String DEALT = "dealt";

    /** The member whose member is the stamp. */
    static final String GUARD = "guard";

    private static final String MARK = "seriatim";
    private static final String OURS = "sequence";

    /** The path of the part that is there as long as the document says what it says now. */
    static String guarded(String stamp) {
        return GUARD + "." + stamp;
    }

    static boolean isOurs(JsonObject json) {
        return OURS.equals(json.get(MARK));
    }

    /** A document that says how a sequence stands, under a new stamp. */
    static SequenceDocument of(SequenceState state) {
        // A used-up one begins with its last value, which has been dealt.
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

    /** How the sequence stands. */
    SequenceState state() {
        return at(dealt);
    }

    /** How it stands when so many were asked for, not negative. */
    SequenceState at(long count) {
        // Each product is the exact one whatever overflows on the way, since what it leads to has 64 bits.
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

    /**
     * Reads a document of ours.
     *
     * @throws Misconfigured when it says something that no sequence can be
     */
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
        throw new Misconfigured("'" + member + "' is no text");
    }

    private static long number(JsonObject json, String member) {
        try {
            return Long.parseLong(text(json, member));
        } catch (NumberFormatException e) {
            throw new Misconfigured("'" + member + "' is no whole number in quotes", e);
        }
    }

    private static long count(JsonObject json) {
        Object count = json.get(DEALT);
        // Anything else, as a number with a fraction, is somebody else's work.
        if ((count instanceof Integer || count instanceof Long) && ((Number) count).longValue() >= 0) {
            return ((Number) count).longValue();
        }
        throw new Misconfigured("'" + DEALT + "' is no whole number from 0 to " + Long.MAX_VALUE);
    }

    private static Optional<String> stamp(JsonObject json) {
        try {
            JsonObject guard = json.getObject(GUARD);
            Set<String> stamps = guard == null ? Set.of() : guard.getNames();
            return stamps.stream().findFirst();
        } catch (CouchbaseException | ClassCastException e) {
            throw new Misconfigured("'" + GUARD + "' is no object", e);
        }
    }
}
