// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.terminal;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prints JSON that a terminal shows as it is: control characters, marks of direction and unpaired surrogates are escaped.
 * Maps, lists, truth values, ratios and null are written as such. All else is text, also 64-bit numbers, since many parsers
 * round numbers above 53 bits. Not thread-safe.
 */
public final class JsonText {

    @FunctionalInterface
    private interface Part {
        void write() throws IOException;
    }

    private final PrintWriter out;
    private final StringWriter unescaped = new StringWriter();
    private final JsonWriter json = new JsonWriter(unescaped);

    public JsonText(PrintWriter out) {
        this.out = out;
        json.setIndent("  ");
    }

    public void print(Object value) {
        print(() -> write(value));
    }

    /** Prints the first fields of an object, and the name of a list whose items come next. */
    public void open(Map<?, ?> fields, String list) {
        print(() -> {
            json.beginObject();
            writeFields(fields);
            json.name(list).beginArray();
        });
    }

    /** Ends the list, and prints the last fields of the object. */
    public void close(Map<?, ?> fields) {
        print(() -> {
            json.endArray();
            writeFields(fields);
            json.endObject();
        });
    }

    private void print(Part part) {
        try {
            part.write();
            json.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.print(escaped(unescaped.toString()));
        unescaped.getBuffer().setLength(0);
    }

    private void write(@Nullable Object value) throws IOException {
        if (value instanceof Map<?, ?> fields) {
            json.beginObject();
            writeFields(fields);
            json.endObject();
        } else if (value instanceof Iterable<?> items) {
            json.beginArray();
            for (Object item : items) {
                write(item);
            }
            json.endArray();
        } else if (value instanceof Boolean truth) {
            json.value(truth);
        } else if (value instanceof Double ratio) {
            json.value(ratio);
        } else {
            json.value(value == null ? null : value.toString());
        }
    }

    private void writeFields(Map<?, ?> fields) throws IOException {
        for (Map.Entry<?, ?> field : fields.entrySet()) {
            json.name(field.getKey().toString().replace(' ', '_'));
            write(field.getValue());
        }
    }

    /** Escapes the characters that a JSON library leaves. Line ends are between values; in strings they are escaped already. */
    public static String escaped(String json) {
        return OneLine.escaped(
                json, c -> (OneLine.isHidden(c) && c != '\n') || Character.getType(c) == Character.SURROGATE);
    }
}
