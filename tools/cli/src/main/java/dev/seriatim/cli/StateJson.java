// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import com.google.gson.stream.JsonWriter;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.cli.terminal.JsonText;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.SequenceState;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Prints sequences as JSON. 64-bit numbers are strings because many parsers round numbers above 53 bits. */
final class StateJson {

    private StateJson() {}

    static void write(List<SequenceState> states, PrintWriter out) {
        JsonWriter json = JsonText.writer(out);
        try {
            json.beginArray();
            for (SequenceState state : states) {
                object(state, json);
            }
            json.endArray().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.println();
    }

    static void write(SequenceState state, Optional<PoolState> pool, Map<String, String> details, PrintWriter out) {
        JsonWriter json = JsonText.writer(out);
        try {
            json.beginObject();
            fields(state, json);
            if (pool.isPresent()) {
                fields(pool.get(), json);
            }
            if (!details.isEmpty()) {
                fields(details, json);
            }
            json.endObject().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.println();
    }

    private static void object(SequenceState state, JsonWriter json) throws IOException {
        json.beginObject();
        fields(state, json);
        json.endObject();
    }

    private static void fields(Map<String, String> details, JsonWriter json) throws IOException {
        json.name("details").beginObject();
        for (Map.Entry<String, String> detail : details.entrySet()) {
            json.name(detail.getKey().replace(' ', '_')).value(detail.getValue());
        }
        json.endObject();
    }

    private static void fields(PoolState pool, JsonWriter json) throws IOException {
        json.name("laid_out").value(Long.toString(pool.count()));
        json.name("claimed").value(Long.toString(pool.claimed()));
        OptionalLong lowest = pool.lowest();
        json.name("lowest_uncommitted").value(lowest.isPresent() ? Long.toString(lowest.getAsLong()) : null);
    }

    private static void fields(SequenceState state, JsonWriter json) throws IOException {
        SequenceDefinition definition = state.definition();
        json.name("name").value(definition.name());
        json.name("next_value").value(NextValue.of(state).map(String::valueOf).orElse(null));
        json.name("start_with").value(Long.toString(definition.start()));
        json.name("increment_by").value(Long.toString(definition.increment()));
        json.name("min_value").value(Long.toString(definition.min()));
        json.name("max_value").value(Long.toString(definition.max()));
        json.name("cycle").value(definition.cycle());
        json.name("cache").value(Long.toString(definition.cache()));
        json.name("used_ratio").value(state.usedRatio());
        json.name("values_left").value(state.valuesLeft().toString());
    }
}
