// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.error.subdoc.DocumentNotJsonException;
import com.couchbase.client.core.error.subdoc.PathExistsException;
import com.couchbase.client.core.error.subdoc.PathMismatchException;
import com.couchbase.client.java.json.JsonArray;
import com.couchbase.client.java.json.JsonObject;
import com.couchbase.client.java.kv.MutateInSpec;
import com.couchbase.client.java.kv.StoreSemantics;
import dev.seriatim.SequenceException.Misconfigured;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the names of all sequences in one document, because not every edition can query for them. Used only for
 * listing: a sequence missing here can still be drawn from, and a listed name without a sequence is skipped. Immutable
 * and thread-safe.
 */
record NameIndex(Documents documents, Retries attempts, Keys keys, String place) {

    private static final String NAMES = "names";

    /** Adds a name, unless it is already listed. */
    void add(String name) {
        attempts.writing(name, deadline -> {
            MutateInSpec added = MutateInSpec.arrayAddUnique(NAMES, name).createPath();
            try {
                documents.mutate(keys.index(), StoreSemantics.UPSERT, 0, deadline, added);
            } catch (PathExistsException e) {
                // already listed
            } catch (PathMismatchException | DocumentNotJsonException e) {
                throw otherKind(e);
            }
            return Optional.of(true);
        });
    }

    void remove(String name) {
        attempts.writing(name, deadline -> {
            Optional<Documents.Found> found = documents.get(keys.index(), deadline);
            SortedSet<String> names = found.map(this::names).orElseGet(TreeSet::new);
            if (found.isPresent() && names.remove(name)) {
                JsonObject without = JsonObject.create().put(NAMES, JsonArray.from(List.copyOf(names)));
                documents.replace(
                        keys.index(), DocumentContent.of(without), found.get().cas(), deadline);
            }
            return Optional.of(true);
        });
    }

    SortedSet<String> all() {
        return attempts.reading(
                null,
                deadline -> Optional.of(
                        documents.get(keys.index(), deadline).map(this::names).orElseGet(TreeSet::new)));
    }

    private SortedSet<String> names(Documents.Found found) {
        SortedSet<String> names = new TreeSet<>();
        try {
            JsonObject json = found.content().object().orElseThrow(() -> otherKind(null));
            JsonArray array = json.getArray(NAMES);
            if (array != null) {
                array.forEach(name -> names.add((String) name));
            }
            return names;
        } catch (ClassCastException e) {
            throw otherKind(e);
        }
    }

    private Misconfigured otherKind(@Nullable Exception cause) {
        return new Misconfigured(
                "document '" + keys.index() + "' in " + place
                        + " is not a list of names, and was left unchanged; remove it, or choose another prefix",
                cause);
    }
}
