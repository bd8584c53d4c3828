// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;

/**
 * Reports a missing or wrong document of a sequence. Immutable and thread-safe.
 *
 * @param place the collection that contains the documents
 */
record Missing(String place, Keys keys) {

    /** Reports that the document does not exist. */
    NotFound sequence(String name) {
        return new NotFound(name, place);
    }

    /** Reports a document of another kind. */
    Misconfigured otherKind(String name, DocumentContent content) {
        String wanted = keys.kind() == CouchbaseOptions.Kind.COUNTER ? "a bare counter" : "a sequence of Seriatim";
        return new Misconfigured(
                name,
                "document '" + keys.of(name) + "' in " + place + " is " + content.kind() + ", not " + wanted
                        + ", and was left unchanged; choose another name, or another prefix" + hint(content));
    }

    private String hint(DocumentContent content) {
        boolean counter = content.counter().isPresent();
        return switch (keys.kind()) {
            case SEQUENCE -> counter ? ", or draw from it with kind=counter" : "";
            case COUNTER ->
                content.object().filter(SequenceDocument::isOurs).isPresent() ? ", or draw without kind=counter" : "";
        };
    }

    /** Reports a damaged document of Seriatim's own. */
    Misconfigured damaged(String name, Misconfigured why) {
        String what = """
                document '%s' in %s is damaged (%s); repair it, or remove it and create the sequence above every value \
                in use""".formatted(keys.of(name), place, why.getMessage());
        return new Misconfigured(name, what, why);
    }
}
