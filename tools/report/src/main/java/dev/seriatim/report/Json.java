// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import dev.seriatim.cli.terminal.JsonText;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;

/** Writes values as JSON: keys in snake case, null for what is missing, durations in seconds. Thread-safe. */
public final class Json {

    private static final JsonSerializer<Object> AS_TEXT = (value, type, context) -> new JsonPrimitive(value.toString());

    public static final Gson GSON = new GsonBuilder()
            .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
            .registerTypeAdapter(Duration.class, (JsonSerializer<Duration>)
                    (time, type, context) -> new JsonPrimitive(time.toMillis() / 1000.0))
            .registerTypeAdapter(Instant.class, AS_TEXT)
            .registerTypeAdapter(LocalDate.class, AS_TEXT)
            .registerTypeAdapter(Optional.class, (JsonSerializer<Optional<?>>)
                    (value, type, context) -> context.serialize(value.orElse(null)))
            .serializeNulls()
            .setPrettyPrinting()
            .disableHtmlEscaping()
            .create();

    private Json() {}

    /** Returns text that a terminal can show. */
    public static String write(Object value) {
        return JsonText.escaped(GSON.toJson(value));
    }
}
